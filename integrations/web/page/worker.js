// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Everything that takes longer than a frame. One of these plans and tells about its plan; one computes the curves by bits,
// which need none; so that nothing is planned twice, and a plan waits for one model at most. A newer task replaces an
// older one of its kind, and a plan replaces all: between two models the worker looks whether there is one.
import { Sluice } from './module.js';

let sluice;
let newest = {}; // by kind, the number of the task that counts
let planned = ''; // the request of the instance's last plan, as text
let answered; // that plan

/** Plans, unless the instance has just this plan. */
function planFor(request) {
  const text = JSON.stringify(request);
  if (text === planned) return;
  planned = '';
  answered = sluice.plan(request);
  planned = text;
}
/** Null of a candidate or scheme that has no such number; the instance is new then, and is prepared again. */
function tried(prepare, call) {
  try { return call(); } catch { planned = ''; prepare(); return null; }
}

/** What a server makes of the request, of the scheme of a candidate: null without keys and rate, or the reason why not. */
function serverFor({ keys, fpr, block_bits }, index) {
  if (keys === undefined || fpr === undefined) return null;
  try {
    return sluice.serverFilter(keys, fpr, block_bits ?? sluice.usual.block_bits, index);
  } catch (e) {
    planned = '';
    return { error: e.message };
  }
}

function wayTo(index) {
  try {
    return sluice.wayTo(index);
  } catch (e) {
    planned = '';
    return { request: answered.request, why_not: `No command makes this filter: ${e.message}.` };
  }
}

/** Lets messages in; says whether the task is still wanted. */
const pause = ({ what, task }) => new Promise((go) => {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => { channel.port1.close(); go(newest[what] === task); };
  channel.port2.postMessage(null);
});

const tasks = {
  /** Candidates, with what is told of the first, and beside them. */
  plan: async ({ request }) => {
    planned = '';
    const server = serverFor(request); // of any scheme: before there are candidates
    const textbook = tried(() => {}, () => sluice.textbook(request));
    planFor(request);
    return { ...answered, textbook, server, way: wayTo(0) };
  },
  way: async ({ request, index }) => {
    planFor(request);
    const server = serverFor(request, index);
    planFor(request);
    return { server, way: wayTo(index) };
  },
  loads: async ({ request, index, load }) => { planFor(request); return sluice.loadsOf(index, load); },

  /** Points of the curves, told as they come. Several are in hand: each is asked for again after a pause. */
  async byLoad(asked) {
    const { request, at, candidates, task } = asked;
    for (const load of at) {
      for (let index = 0; index < candidates; ++index) {
        if (!(await pause(asked))) return undefined;
        planFor(request);
        const fpr = tried(() => planFor(request), () => sluice.rateAtLoad(index, load));
        if (fpr !== null) postMessage({ task, loaded: { index, load, fpr } });
      }
    }
    return true;
  },
  async byBits(asked) {
    const { request, at, task } = asked;
    sluice.consider(request);
    for (const bits of at) {
      for (let family = 0; family < sluice.families(); ++family) {
        if (!(await pause(asked))) return undefined;
        const point = tried(() => sluice.consider(request), () => sluice.rateAtBits(family, bits));
        if (point) postMessage({ task, point: { at: bits, ...point } });
      }
      postMessage({ task, least: { at: bits, fpr: sluice.leastRate(bits) } });
    }
    return true;
  },
  chain: async ({ request, first_keys, factor }) => {
    const server = serverFor({ ...request, keys: first_keys }); // of the first link
    return { ...sluice.chain(request, first_keys, factor ?? sluice.usual.factor), server };
  },
};

onmessage = async ({ data }) => {
  if (data.module) { sluice = new Sluice(data.module); return; }
  if (data.what === 'plan') newest = {};
  newest[data.what] = data.task;
  if (!(await pause(data))) return; // a later one has come meanwhile
  try {
    const answer = await tasks[data.what](data);
    if (answer !== undefined) postMessage({ task: data.task, answer });
  } catch (e) {
    postMessage({ task: data.task, error: e.message });
  }
};
