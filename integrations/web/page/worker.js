// Everything that takes longer than a frame. Three of these run: one plans, one computes curves, one what is
// told of the chosen filter, so that a plan never waits for a curve. The newest task replaces the one in hand: between two models the worker looks whether there is one.
import { Sluice } from './module.js';

let sluice;
let newest = 0;
let planned = ''; // the request of the instance's last plan, as text

/** Plans, unless the instance has just this plan. */
function planFor(request) {
  const text = JSON.stringify(request);
  if (text === planned) return;
  planned = '';
  sluice.plan(request);
  planned = text;
}
/** Of a candidate or scheme that has no such number; the instance is new then, and is given its plan again. */
function tried(request, call) {
  try { return call(); } catch { planned = ''; planFor(request); return null; }
}

/** Lets messages in; says whether the task is still wanted. */
const pause = (task) => new Promise((go) => {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => { channel.port1.close(); go(task === newest); };
  channel.port2.postMessage(null);
});

const tasks = {
  plan: async (_, { request }) => sluice.plan(request),

  /** Points of the curves, coarse ones first, told as they come. */
  async curves(task, { request, tell }) {
    planFor(request);
    for (let i = 0; i < Math.max(tell.bits.length, tell.loads.length); ++i) {
      const [bits, load] = [tell.bits[i], tell.loads[i]];
      if (bits !== undefined) postMessage({ task, least: { at: bits, fpr: sluice.leastRate(bits) } });
      for (let family = 0; bits !== undefined && family < sluice.families(); ++family) {
        const point = tried(request, () => sluice.rateAtBits(family, bits));
        if (point) postMessage({ task, point: { at: bits, ...point } });
        if (!(await pause(task))) return undefined;
      }
      for (let index = 0; load !== undefined && index < tell.candidates; ++index) {
        const fpr = tried(request, () => sluice.rateAtLoad(index, load));
        if (fpr !== null) postMessage({ task, loaded: { index, load, fpr } });
        if (!(await pause(task))) return undefined;
      }
    }
    return true;
  },
  loads: async (_, { request, index, load }) => { planFor(request); return sluice.loadsOf(index, load); },
  chain: async (_, { keys, fpr }) => sluice.chain(keys, fpr, 32768, 8),
};

onmessage = async ({ data }) => {
  if (data.module) { sluice = new Sluice(data.module); return; }
  newest = data.task;
  if (!(await pause(data.task))) return; // a later one has come meanwhile
  try {
    const answer = await tasks[data.what](data.task, data);
    if (answer !== undefined) postMessage({ task: data.task, answer });
  } catch (e) {
    postMessage({ task: data.task, error: e.message });
  }
};
