// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The page's plans are the command's: the same candidates in the same order, with the same parameters and sentences, and
// numbers equal to 9 significant digits. Numbers that people type are read as the command reads them. Of addresses nothing
// is taken that the page does not know; what it links to is there.
// usage: node plans_test.mjs WEB_FOLDER COMMAND PLANS
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';

// A copy whose names tell node that they are modules.
const [, , web, command, count = '200'] = isMainThread ? process.argv : [0, 0, ...workerData.args];
const load = async (folder, name) => import(pathToFileURL(path.join(folder, name)).href);
const sluiceOf = async (folder) => {
  const { Sluice } = await load(folder, 'module.js');
  return new Sluice(new WebAssembly.Module(fs.readFileSync(path.join(web, 'sluice.wasm'))));
};

if (!isMainThread) {
  const sluice = await sluiceOf(workerData.folder);
  parentPort.on('message', (request) => {
    try { parentPort.postMessage({ answer: sluice.plan(request) }); } catch (e) { parentPort.postMessage({ error: e.message }); }
  });
} else {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'plans'));
  fs.writeFileSync(path.join(folder, 'package.json'), '{"type": "module"}');
  for (const name of fs.readdirSync(web).filter((n) => n.endsWith('.js') && !n.startsWith('uPlot'))) fs.copyFileSync(path.join(web, name), path.join(folder, name));
  try {
    await main(folder);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

/** Requests of every kind, the same in every run. */
function requests(howMany) {
  let state = 20240607;
  const random = () => { // a linear congruence: nothing here needs more
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const one = (list) => list[Math.floor(random() * list.length)];
  const spread = (low, high) => Number((low * (high / low) ** random()).toPrecision(3));
  return Array.from({ length: howMany }, (_, i) => {
    const request = {};
    const keys = Math.round(spread(200, 1e10));
    if (i % 3 !== 2) request.keys = keys;
    if (i % 3 !== 1) request.fpr = spread(1e-8, 0.2);
    if (i % 3 === 1) request.memory_bytes = Math.round((keys * spread(5, 60)) / 8);
    if (i % 3 === 2) request.memory_bytes = Math.round(spread(1e4, 1e12));
    if (random() < 0.5) request.hit_ratio = Number(random().toFixed(2));
    if (random() < 0.3) request.by = one([1, 2, 3]);
    if (random() < 0.3) request.max_blocks = one([1, 3, 30]);
    if (random() < 0.3) request.mean_cost = one([1, 1.1, 2, 30]);
    if (random() < 0.2) request.block_bits = one([128, 256, 1024]);
    if (random() < 0.2) request.overload = one([1.2, 1.5, 2]);
    if (random() < 0.15) request.second_line_cost = one([0, 0.25, 1]);
    if (random() < 0.1) request.accesses_hit = one([1.1, 1.5]);
    if (random() < 0.1) request.accesses_miss = one([1.01, 1.5]);
    if (random() < 0.15) request.no_list = 1;
    if (random() < 0.1) request.concurrent = 1;
    const parts = random();
    if (parts < 0.15) request.static = 1;
    else if (parts >= 0.92) request.erase = 1;
    else if (parts < 0.22) request.shards = one([2, 16]);
    else if (parts < 0.27) request.mergeable = 1;
    return request;
  });
}

/** Throws where two values differ by more than the ninth digit. */
function compare(ours, theirs, where) {
  if (typeof theirs === 'number' && typeof ours === 'number') {
    // What overflows is all keys less those stored, two sums near 1: its rounding of 1e-16 of all keys, which is far less
    // than a key, differs between two libraries of mathematics.
    const rounding = where.endsWith('.overflow_fraction') ? 1e-15 : 0;
    const same = ours === theirs || Math.abs(ours - theirs) <= Math.max(rounding, 5e-10 * Math.abs(theirs));
    assert(same, `${where}: the page says ${ours}, the command ${theirs}`);
  } else if (theirs !== null && typeof theirs === 'object') {
    assert.deepEqual(Object.keys(ours), Object.keys(theirs), where);
    for (const name of Object.keys(theirs)) compare(ours[name], theirs[name], `${where}.${name}`);
  } else {
    assert.equal(ours, theirs, where);
  }
}

async function main(folder) {
  const run = promisify(execFile);
  const { bys, planOptions } = await load(folder, 'making.js');
  const { readBytes, readCount, readShare } = await load(folder, 'numbers.js');
  const { usual } = await sluiceOf(folder);
  const ask = async (args) => {
    try {
      return { json: JSON.parse((await run(command, ['plan', ...args, '--json'])).stdout) };
    } catch (e) { // status 1: nothing is recommended, and the candidates are there all the same
      return { json: e.stdout ? JSON.parse(e.stdout) : null, said: e.stderr };
    }
  };
  let [passed, failed] = [0, 0];
  const test = async (name, body) => {
    try { await body(); ++passed; } catch (e) { ++failed; console.error(`plans: ${name}: ${e.message}`); }
  };

  const all = requests(Number(count));
  let candidates = 0;
  const lane = async (mine) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { args: [web, command], folder } });
    for (const request of mine) {
      const page = new Promise((go) => { worker.once('message', go); });
      worker.postMessage(request);
      const args = planOptions(request, usual);
      await test(args.join(' '), async () => {
        const [{ answer, error }, { json, said }] = await Promise.all([page, ask(args)]);
        if (error) {
          assert(!json?.candidates?.length, `the page refuses it (${error}), the command does not`);
          assert(said.includes(error), `the page says '${error}', the command '${said}'`);
          return;
        }
        assert(json, `the command refuses it: ${said}`);
        const { by, ...ours } = answer.request;
        const { by: theirBy, ...theirs } = json.request;
        assert.equal(bys[by], theirBy);
        for (const name of Object.keys(theirs)) compare(typeof theirs[name] === 'boolean' ? ours[name] === 1 : ours[name], theirs[name], `request.${name}`);
        assert.equal(answer.candidates.length, json.candidates.length, 'the number of candidates');
        answer.candidates.forEach(({ cpp, bits, ...c }, i) => compare(c, json.candidates[i], `candidate ${i}`));
        candidates += json.candidates.length;
      });
    }
    await worker.terminate();
  };
  await Promise.all([lane(all.filter((_, i) => i % 2 === 0)), lane(all.filter((_, i) => i % 2 === 1))]);
  await test('there was something to compare', () => assert(candidates > 4 * all.length, `${candidates} candidates`));

  // Texts: what the command refuses is no number here, and what it takes is the same one.
  const typed = { keys: [readCount, ['100M', '1,000,000', '1.5k', '1e6', '2.5e3', '0x10', '1,00', '0,001', 'ten', '1.5', ' 7', '7k3', '12T']],
    fpr: [readShare, ['0.1%', '1e-6', '.5', '1e', '1%%', 'inf', '0.001']],
    memory_bytes: [readBytes, ['500M', '1.5Gi', '2Ki', '2000000', '3MB', '7Q', '8MiB', '1e7', 'k', '4k']] };
  const others = { keys: ['--fpr', '0.3'], fpr: ['--keys', '500'], memory_bytes: ['--fpr', '0.3'] };
  const options = { keys: '--keys', fpr: '--fpr', memory_bytes: '--memory' };
  for (const [name, [read, texts]] of Object.entries(typed)) {
    for (const text of texts) {
      await test(`${options[name]} '${text}'`, async () => {
        const { json } = await ask([`${options[name]}=${text}`, ...others[name], '--by', 'bits']);
        const ours = read(text.trim() === text ? text : 'x');
        if (json) compare(ours, json.request[name], text);
        else assert(Number.isNaN(ours) || ours >= 1 === false, `the page reads ${ours}, the command refuses it`);
      });
    }
  }
  // Numbers for people, and what a slider writes.
  const { short } = await load(folder, 'numbers.js');
  const { fromSlider, table, toSlider } = await load(folder, 'fields.js');
  for (const [value, digits, text] of [[0, 4, '0'], [99999.5, 4, '1e5'], [12345, 4, '12350'], [1000, 2, '1000'], [320, 2, '320'], [100, 2, '100'], [1.5, 4, '1.5'], [12.345, 3, '12.3'],
    [123456, 4, '1.235e5'], [1e8, 4, '1e8'], [0.00099999, 4, '0.001'], [0.0012344, 4, '0.001234'], [1.5e-7, 2, '1.5e-7'], [-250, 2, '-250']]) {
    await test(`${value} with ${digits} digits`, () => assert.equal(short(value, digits), text));
  }
  for (const [value, text] of [[1000, '1000'], [320, '320'], [99999, '1e5'], [2.5e6, '2.5e6']]) {
    await test(`a slider at ${value} keys`, () => assert.equal(fromSlider(table.keys, toSlider(table.keys, value)), text));
  }
  // Addresses: what every object has by birth is none of the page's names, nor any of its choices.
  const { fromAddress, requestOf, toAddress, usualState } = await load(folder, 'fields.js');
  const empty = usualState(usual);
  for (const name of [...Object.getOwnPropertyNames(Object.prototype), 'everything', '']) {
    for (const hash of [`#given=${name}`, `#arrival=${name}`, `#lines=${name}`, `#by=${name}&block_bits=${name}`, `#${name}=x`]) {
      await test(`the address '${hash}'`, () => {
        const state = fromAddress(hash, empty);
        assert.deepEqual(Object.entries(state), Object.entries(empty));
        assert.equal(toAddress(state, empty), toAddress(empty, empty));
        assert.deepEqual(requestOf(state).wrong, {});
      });
    }
  }
  await test('an address of its own', () => {
    const state = fromAddress('#given=keys-memory&keys=5M&memory_bytes=9M&arrival=static&no_list=1', empty);
    assert.equal(toAddress(state, empty), '#given=keys-memory&arrival=static&keys=5M&memory_bytes=9M&no_list=1');
  });
  await test('keys that are all known are not erased, those of a chain are', () => {
    for (const [arrival, erase] of [['online', 1], ['static', undefined], ['growing', 1]]) {
      assert.equal(requestOf(fromAddress(`#keys=5M&fpr=0.01&arrival=${arrival}&erase=1`, empty)).request.erase, erase);
    }
  });
  await test('a chain is planned by keys and a rate, and has no limits', () => {
    const state = fromAddress('#given=keys-memory&keys=5M&memory_bytes=9M&fpr=0.01&arrival=growing&max_blocks=1&no_list=1&factor=2', empty);
    const { request, growth } = requestOf(state);
    assert.deepEqual(request, { keys: 5e6, fpr: 0.01, hit_ratio: usual.hit_ratio, block_bits: usual.block_bits, second_line_cost: usual.second_line_cost });
    assert.deepEqual(growth, { first_keys: 32768, factor: 2 });
  });
  await test('what the page names is there', () => {
    const named = [...fs.readFileSync(path.join(web, 'index.html'), 'utf8').matchAll(/(?:href|src)="([^"#:]+)"/g)].map(([, name]) => name);
    assert.ok(named.includes('recipes.txt') && named.includes('main.js'), named.join(' '));
    for (const name of named) assert.ok(fs.existsSync(path.join(web, name)), name);
  });
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed ? 1 : 0;
}
