// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The request as a form: one table of the fields, how each is read, shown and dragged. Names, and the values of what is
// not said, are the module's; the state of the whole page is an object of them, and stands in the address.
import { bys } from './making.js';
import { readBytes, readCount, readReal, readShare, short } from './numbers.js';

/** scale: log or linear, from min to max in `steps` steps; without one there is no slider. of: one filter or a chain alone
 *  has it. */
export const table = {
  first_keys: { label: 'Keys of the first filter', read: readCount, example: '32768, 1M', scale: 'log', min: 100, max: 1e9, of: 'chain' },
  factor: { label: 'Times the keys of the one before', read: readCount, example: '2, 8', scale: 'linear', min: 2, max: 16, step: 1, of: 'chain', optional: true, unsaid: 'usual' },
  keys: { label: 'Keys', read: readCount, example: '100M, 1e8', scale: 'log', min: 100, max: 1e12 },
  fpr: { label: 'False positive rate', read: readShare, example: '1e-6, 0.1%', scale: 'log', min: 1e-9, max: 0.5 },
  memory_bytes: { label: 'Memory', read: readBytes, example: '500M, 1.5Gi', scale: 'log', min: 1e3, max: 1e13, of: 'one' },
  hit_ratio: { label: 'Lookups that are hits', read: readShare, example: '0.5, 50%', scale: 'linear', min: 0, max: 1, step: 0.01 },
  max_blocks: { label: 'Most lines a lookup reads', read: readCount, example: '2', scale: 'linear', min: 1, max: 8, step: 1, of: 'one' },
  mean_cost: { label: 'Lines on average, at most', read: readReal, example: '1.25', scale: 'linear', min: 1, max: 3, step: 0.01, of: 'one' },
  by: { label: 'Order by', choices: bys, of: 'one' },
  block_bits: { label: 'Bits of a block', choices: [64, 128, 256, 512, 1024, 2048, 4096] },
  second_line_cost: { label: 'Cost of a second line in a page', read: readReal, example: '0.5', scale: 'linear', min: 0, max: 1, step: 0.05 },
  overload: { label: 'Rate holds up to, times the keys', read: readReal, example: '1.25', scale: 'linear', min: 1, max: 4, step: 0.05, of: 'one' },
  accesses_hit: { label: 'Lines a hit reads, at most', read: readReal, example: '1.2', optional: true, of: 'one' },
  accesses_miss: { label: 'Lines a miss reads, at most', read: readReal, example: '1.05', optional: true, of: 'one' },
  shards: { label: 'Shards that are merged', read: readCount, example: '16', optional: true, of: 'one' },
};
export const flags = ['erase', 'no_list', 'mergeable', 'concurrent'];
export const arrivals = ['online', 'static', 'growing'];
export const forms = ['command', 'cpp', 'python', 'c', 'redis'];
export const givens = { 'keys-fpr': ['keys', 'fpr'], 'keys-memory': ['keys', 'memory_bytes'], 'memory-fpr': ['memory_bytes', 'fpr'] };

/** Whether a field counts: a chain is planned by keys and a rate, and keeps no limits. */
export function counts(name, state) {
  const { of } = table[name];
  if (of && (of === 'chain') !== (state.arrival === 'growing')) return false;
  return !(name in given) || givens[state.arrival === 'growing' ? 'keys-fpr' : state.given].includes(name);
}

/** What is built of keys that are all known does not change; a chain keeps no limits. */
export const flagCounts = (name, state) => (name === 'erase' ? state.arrival !== 'static' : state.arrival !== 'growing');

const given = { keys: '100M', fpr: '1e-6', memory_bytes: '400M' };
/** What a page begins with: text for everything that is typed. */
export function usualState(usual) {
  const state = { given: 'keys-fpr', arrival: 'online', chosen: '', lines: 'command', ...given };
  for (const [name, field] of Object.entries(table)) {
    if (name in given) continue;
    if (field.optional) state[name] = '';
    else state[name] = field.choices && name === 'by' ? field.choices[usual.by] : String(usual[name]);
  }
  for (const name of flags) state[name] = '';
  return state;
}

/** Only what differs from the usual stands in the address. */
export function toAddress(state, usual) {
  const out = new URLSearchParams();
  for (const [name, value] of Object.entries(state)) {
    const shown = !Object.hasOwn(table, name) || counts(name, state);
    if (shown && (name in given || value !== usual[name])) out.set(name, value);
  }
  return `#${out}`;
}
/** What an address says, and nothing that the page does not know; also not what every object has (`constructor`). */
export function fromAddress(hash, usual) {
  const state = { ...usual };
  for (const [name, value] of new URLSearchParams(hash.slice(1))) if (Object.hasOwn(state, name)) state[name] = value.slice(0, 40);
  if (!Object.hasOwn(givens, state.given)) state.given = usual.given;
  if (!arrivals.includes(state.arrival)) state.arrival = usual.arrival;
  if (!forms.includes(state.lines)) state.lines = usual.lines;
  for (const [name, { choices }] of Object.entries(table)) {
    if (choices && !choices.map(String).includes(state[name])) state[name] = usual[name];
  }
  for (const name of flags) state[name] = state[name] ? '1' : '';
  return state;
}

/** The module's request, how a chain grows, and the fields that say nothing that can be read: {request, growth,
 *  wrong: {name: sentence}}. */
export function requestOf(state) {
  const request = {};
  const growth = {};
  const wrong = {};
  for (const [name, field] of Object.entries(table)) {
    if (!counts(name, state)) continue;
    if (name === 'by') { request.by = field.choices.indexOf(state.by); continue; }
    if (field.choices) { request[name] = Number(state[name]); continue; }
    const text = state[name].trim();
    if (text === '' && field.optional) continue;
    const value = field.read(text);
    if (Number.isFinite(value)) (field.of === 'chain' ? growth : request)[name] = value;
    else wrong[name] = `${text === '' ? 'Nothing is said here' : 'This is no number'}; examples: ${field.example}`;
  }
  for (const name of flags) if (state[name] && flagCounts(name, state)) request[name] = 1;
  if (state.arrival === 'static') request.static = 1;
  return { request, growth, wrong };
}

/** Where a slider with 1000 steps stands for a value, and back, with as many digits as a person would type. */
export const toSlider = (f, value) => (f.scale === 'log' ? (1000 * Math.log(value / f.min)) / Math.log(f.max / f.min) : value);
export function fromSlider(f, position) {
  if (f.scale === 'linear') return String(Number(Number(position).toFixed(2)));
  return short(f.min * (f.max / f.min) ** (position / 1000), 2);
}
