// The lines that make a filter: for the command, and for a C++ program. What the library would do by itself is not said.
import { exact } from './numbers.js';

const commandNames = { keys: '--keys', fpr: '--fpr', memory_bytes: '--memory', by: '--by', hit_ratio: '--hit-ratio', max_blocks: '--max-blocks',
  mean_cost: '--mean-cost', accesses_hit: '--accesses-hit', accesses_miss: '--accesses-miss', second_line_cost: '--second-line-cost',
  block_bits: '--block-bits', overload: '--overload', static: '--static', no_list: '--no-list', mergeable: '--mergeable', shards: '--shards',
  concurrent: '--concurrent' };
export const bys = ['balanced', 'lines', 'bits', 'time'];
const cppNames = { fpr: 'fpr', memory_bytes: 'memory_bits', by: 'by', hit_ratio: 'hit_ratio', max_blocks: 'max_blocks', mean_cost: 'mean_cost_limit',
  accesses_hit: 'accesses_hit', accesses_miss: 'accesses_miss', second_line_cost: 'second_line_cost', block_bits: 'block_bits',
  overload: 'overload', no_list: 'no_list', concurrent: 'concurrent', mergeable: 'mergeable', shards: 'shards' };
const flags = ['static', 'no_list', 'mergeable', 'concurrent'];

/** The options of a request, in the order of its fields, without what is usual. */
export function planOptions(request, usual) {
  return Object.keys(commandNames).flatMap((name) => {
    const value = request[name];
    if (value === undefined || value === usual[name]) return [];
    if (flags.includes(name)) return value ? [commandNames[name]] : [];
    return [commandNames[name], name === 'by' ? bys[value] : exact(value)];
  });
}

export function commandLines(request, usual, candidate, index, arrival) {
  if (arrival === 'growing') {
    const rate = request.fpr === undefined ? [] : ['--fpr', exact(request.fpr)];
    return ['sluice', 'build', '--grow', ...rate, '-o', 'keys.sluice', 'keys.txt'].join(' ');
  }
  const options = planOptions(request, usual);
  const build = ['sluice', 'build', ...options, ...(index > 0 ? ['--scheme', candidate.scheme] : []), '-o', 'keys.sluice', 'keys.txt'];
  return `${['sluice', 'plan', ...options].join(' ')}\n${build.join(' ')}`;
}

const grouped = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, "'");
const cppValue = (value) => (typeof value === 'number' ? String(value) : /^\d+$/.test(value) ? grouped(value) : value);
const initialiser = (pairs) => `{${pairs.map(([name, value]) => `.${name} = ${value}`).join(', ')}}`;

export function cppLines(request, usual, candidate, index, arrival) {
  if (arrival === 'growing') return `sluice::growing_filter f({.fpr = ${exact(request.fpr ?? 0.001)}});\nf.insert("key");`;
  const parameters = `sluice::${candidate.cpp.type}${initialiser(candidate.cpp.members.map(([name, value]) => [name, cppValue(value)]))}`;
  if (candidate.scheme === 'sealed') return `sluice::sealed_builder b(${parameters});\nb.insert_bulk(keys);\nsluice::filter f = b.build();`;
  if (candidate.static) return `sluice::static_builder b(${parameters});\nb.insert_bulk(keys);\nsluice::filter f = b.build();`;
  const asItStands = `sluice::filter f(${parameters});`;
  if (index > 0 || !candidate.admissible || request.keys === undefined || request.static) return asItStands;
  const wanted = Object.entries(cppNames).flatMap(([name, member]) => {
    const value = request[name];
    if (value === undefined || value === usual[name]) return [];
    if (flags.includes(name)) return value ? [[member, 'true']] : [];
    if (name === 'by') return [[member, `sluice::plan_by::${bys[value]}`]];
    return [[member, exact(name === 'memory_bytes' ? 8 * value : value)]];
  });
  return `auto f = sluice::filter::for_keys(${grouped(String(BigInt(request.keys)))}, ${initialiser(wanted)});\n\n// or, as it stands:\n${asItStands}`;
}
