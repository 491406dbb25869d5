// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The lines that make a filter: for the command, for programs in C++, Python and C, and for a server. What the library
// would do by itself is not said. Where a form has no way to make the filter, a sentence says so in place of lines.
// Which options lead to a candidate, and what a server makes of a request, are the module's answers.
import { bytes, exact, rate } from './numbers.js';

const commandNames = { keys: '--keys', fpr: '--fpr', memory_bytes: '--memory', by: '--by', hit_ratio: '--hit-ratio', max_blocks: '--max-blocks',
  mean_cost: '--mean-cost', accesses_hit: '--accesses-hit', accesses_miss: '--accesses-miss', second_line_cost: '--second-line-cost',
  block_bits: '--block-bits', overload: '--overload', static: '--static', erase: '--erasable', no_list: '--no-list', mergeable: '--mergeable',
  shards: '--shards', concurrent: '--concurrent' };
export const bys = ['balanced', 'lines', 'bits', 'time'];
const cppNames = { fpr: 'fpr', memory_bytes: 'memory_bits', by: 'by', hit_ratio: 'hit_ratio', max_blocks: 'max_blocks', mean_cost: 'mean_cost_limit',
  accesses_hit: 'accesses_hit', accesses_miss: 'accesses_miss', second_line_cost: 'second_line_cost', block_bits: 'block_bits',
  overload: 'overload', erase: 'erase', no_list: 'no_list', concurrent: 'concurrent', mergeable: 'mergeable', shards: 'shards' };
const pythonNames = { ...cppNames, keys: 'keys', memory_bytes: 'memory', static: 'all_keys_known', erase: 'erasable' };
const flags = ['static', 'erase', 'no_list', 'mergeable', 'concurrent'];

/** What a request says beyond the usual, in the order of its fields: [name, value]. */
const said = (request, usual) => Object.keys(commandNames).map((name) => [name, request[name]])
  .filter(([name, value]) => value !== undefined && value !== null && value !== usual[name] && !(flags.includes(name) && !value));

/** The options of a request, without what is usual. */
export const planOptions = (request, usual) => said(request, usual)
  .flatMap(([name, value]) => (flags.includes(name) ? [commandNames[name]] : [commandNames[name], name === 'by' ? bys[value] : exact(value)]));

/** What gives keys back again. */
const erases = ({ chain, candidate }) => (chain ? Boolean(chain.erase) : candidate.scheme === 'ledger');
const needsAllKeys = (candidate) => candidate.scheme === 'sealed' || Boolean(candidate.static);
const grouped = (digits, by) => digits.replace(/\B(?=(\d{3})+$)/g, by);
const whole = (value) => String(BigInt(Math.floor(value)));

/** The request with what must be allowed for the candidate, and which of its fields that changes. */
function allowed({ request, described, way }) {
  const changed = Object.keys(commandNames).filter((name) => way.request[name] !== described[name]);
  const looser = { ...request };
  for (const name of changed) looser[name] = way.request[name] === null ? undefined : Number(way.request[name].toPrecision(12));
  return { looser, changed };
}

/** What is said of how a chain grows, and differs from what is usual. */
const unusual = (chain, usual) => ['first_keys', 'factor', 'block_bits'].filter((name) => chain[name] !== undefined && chain[name] !== usual[name]);

const taken = 'Keys are taken out by sluice remove keys.sluice gone.txt.';

function command(made, usual) {
  const { chain, candidate, way } = made;
  if (chain) {
    const options = ['--fpr', exact(chain.fpr), ...(chain.block_bits === usual.block_bits ? [] : ['--block-bits', String(chain.block_bits)]),
      ...(chain.first_keys === usual.first_keys ? [] : ['--first-keys', whole(chain.first_keys)]),
      ...(chain.factor === undefined ? [] : ['--growth', whole(chain.factor)]), ...(chain.erase ? ['--erasable'] : [])];
    return { text: ['sluice', 'build', '--grow', ...options, '-o', 'keys.sluice', 'keys.txt'].join(' '),
      note: `More keys are added by sluice add keys.sluice more.txt.${chain.erase ? ` ${taken}` : ''}` };
  }
  if (way.why_not) return { text: '', note: way.why_not };
  const { looser, changed } = allowed(made);
  const options = planOptions(looser, usual);
  const build = ['sluice', 'build', ...options, ...(way.scheme ? ['--scheme', way.scheme] : []), '-o', 'keys.sluice', 'keys.txt'];
  const more = planOptions(Object.fromEntries(changed.filter((name) => name !== 'keys').map((name) => [name, looser[name]])), usual).join(' ');
  const other = Math.abs(way.memory_bytes / candidate.memory_bytes - 1) > 0.005 || Math.abs(way.fpr / candidate.fpr_exact - 1) > 0.05;
  const notes = [more && `This allows more than was asked for: ${more}.`,
    changed.includes('keys') && 'The number of keys is what the memory holds.',
    changed.includes('no_list') && 'This filter keeps a list.',
    erases(made) && taken,
    other && `The command designs the scheme that is named for the fewest bits: ${bytes(way.memory_bytes)}, FPR ${rate(way.fpr)}.`];
  return { text: `${['sluice', 'plan', ...options].join(' ')}\n${build.join(' ')}`, note: notes.filter(Boolean).join(' ') };
}

const cppValue = (value) => (typeof value === 'number' ? String(value) : /^\d+$/.test(value) ? grouped(value, "'") : value);
const initialiser = (pairs) => `{${pairs.map(([name, value]) => `.${name} = ${value}`).join(', ')}}`;

function cpp(made, usual) {
  const { request, candidate, index, chain } = made;
  const used = `f.insert("key");\nbool found = f.may_contain("key");${erases(made) ? '\nf.erase("key");' : ''}`;
  if (chain) {
    const members = [['fpr', exact(chain.fpr)], ...unusual(chain, usual)
      .map((name) => [name, grouped(whole(chain[name]), "'")]), ...(chain.erase ? [['erasable', 'true']] : [])];
    return { text: `sluice::growing_filter f(${initialiser(members)});\n${used}`, note: '' };
  }
  const parameters = `sluice::${candidate.cpp.type}${initialiser(candidate.cpp.members.map(([name, value]) => [name, cppValue(value)]))}`;
  if (needsAllKeys(candidate)) {
    const builder = candidate.scheme === 'sealed' ? 'sealed_builder' : 'static_builder';
    return { text: `sluice::${builder} b(${parameters});\nb.insert_bulk(keys);\nsluice::filter f = b.build();\nbool found = f.may_contain("key");`,
      note: 'keys is a std::vector, or whatever std::span takes, of integers or of texts.' };
  }
  const type = request.concurrent && candidate.admissible ? 'concurrent_filter' : 'filter';
  const asItStands = `sluice::${type} f(${parameters});`;
  if (index > 0 || !candidate.admissible || request.keys === undefined || request.static) return { text: `${asItStands}\n${used}`, note: '' };
  const wanted = said(request, usual).filter(([name]) => name !== 'keys').map(([name, value]) => {
    if (flags.includes(name)) return [cppNames[name], 'true'];
    if (name === 'by') return [cppNames[name], `sluice::plan_by::${bys[value]}`];
    return [cppNames[name], exact(name === 'memory_bytes' ? 8 * value : value)];
  });
  const kept = wanted.filter(([name]) => name !== 'concurrent');
  return { text: `auto f = sluice::${type}::for_keys(${grouped(whole(request.keys), "'")}, ${initialiser(kept)});\n${used}\n\n// or, without a plan:\n// ${asItStands}`, note: '' };
}

function python(made, usual) {
  const { request, candidate, index, chain, way } = made;
  const used = `f.update(keys)\nprint("key" in f)\n${erases(made) ? 'f.remove("key")\n' : ''}f.save("keys.sluice")`;
  const named = (pairs) => pairs.map(([name, value]) => `${name}=${value}`).join(', ');
  const wanted = (from, without = []) => said(from, usual).filter(([name]) => !without.includes(name)).map(([name, value]) => {
    if (flags.includes(name)) return [pythonNames[name], 'True'];
    if (name === 'by') return ['by', `"${bys[value]}"`];
    return [pythonNames[name], name === 'keys' && value < 1e15 ? grouped(whole(value), '_') : exact(value)];
  });
  if (chain) {
    const pairs = [['fpr', exact(chain.fpr)], ...unusual(chain, usual)
      .map((name) => [name, grouped(whole(chain[name]), '_')]), ...(chain.erase ? [['erasable', 'True']] : [])];
    return { text: `import sluice\n\nf = sluice.GrowingFilter(${named(pairs)})\n${used}`, note: '' };
  }
  if (needsAllKeys(candidate)) {
    if (way.why_not) return { text: '', note: way.why_not.replace('command', 'call') };
    const { looser } = allowed(made);
    // As many keys as there are: with both rate and memory, one of them is too much.
    const pairs = wanted(looser, ['keys', 'static', ...(looser.fpr !== undefined ? ['memory_bytes'] : [])]);
    if (way.scheme) pairs.push(['scheme', `"${way.scheme}"`]);
    return { text: `import sluice\n\nf = sluice.build_static(${['keys', named(pairs)].join(', ')})\nprint("key" in f)\nf.save("keys.sluice")`, note: '' };
  }
  if (index > 0 || !candidate.admissible || request.static) {
    return { text: `import sluice\n\nf = sluice.plan(${named(wanted(request))})[${index}].filter()\n${used}`, note: 'A candidate of the plan, whatever limits it breaks.' };
  }
  if (request.concurrent) {
    return { text: `import sluice\n\nf = sluice.ConcurrentFilter(${named(wanted(request, ['concurrent']))})\nf.update(keys)\nprint("key" in f)\nf.snapshot().save("keys.sluice")`, note: '' };
  }
  return { text: `import sluice\n\nf = sluice.Filter(${named(wanted(request))})\n${used}`, note: '' };
}

function c(made, usual, ofFile) {
  const { request, candidate, index, chain } = made;
  const known = ['keys', 'fpr', 'memory_bytes', 'shards', 'erase'];
  const plain = chain ? unusual(chain, usual).length === 0
    : index === 0 && candidate.admissible && said(request, usual).every(([name]) => known.includes(name))
      && (request.shards === undefined || request.keys !== undefined);
  const asked = 'int found = sluice_query(f, "key", 3); /* 1: perhaps, 0: certainly not */';
  if (plain) {
    const members = chain ? [['fpr', exact(chain.fpr)], ...(chain.erase ? [['erasable', '1']] : [])] : said(request, usual)
      .map(([name, value]) => [{ memory_bytes: 'memory', erase: 'erasable' }[name] ?? name, name === 'fpr' ? exact(value) : whole(value)]);
    return { text: `#include <sluice.h>\n\nstruct sluice_plan plan = ${initialiser([['size', 'sizeof plan'], ...members])};\nsluice_filter* f = sluice_build(&plan);\n`
      + `sluice_add(f, "key", 3);\n${asked}\n${erases(made) ? 'sluice_remove(f, "key", 3);\n' : ''}sluice_save(f, "keys.sluice");\nsluice_close(f);`, note: 'f is NULL where there was an error; sluice_error() says which.' };
  }
  const why = 'A plan in C has keys, rate, memory, shards and whether keys are erased, and knows no other limits or schemes';
  if (!ofFile) return { text: '', note: `${why}, and there is no command whose file it could open.` };
  return { text: `#include <sluice.h>\n\nsluice_filter* f = sluice_${candidate && needsAllKeys(candidate) ? 'map' : 'open'}("keys.sluice");\n${asked}\nsluice_close(f);`,
    note: `${why}: it opens the file that the command makes.` };
}

const mostBytes = 2 ** 30; // max-bytes of a server where nothing is said; only a sentence depends on it

/** A ledger of the server's own, by the commands of cuckoo filters; asked: its keys and rate, or a chain's. */
function cuckoo({ keys, first_keys, fpr, factor, block_bits }, usual) {
  const capacity = first_keys ?? keys;
  if (capacity === undefined || fpr === undefined || (block_bits ?? usual.block_bits) !== usual.block_bits) {
    return { text: '', note: 'CF.RESERVE takes a rate and a number of items, and has blocks of the usual size.' };
  }
  const reserve = ['CF.RESERVE', 'seen', whole(capacity), 'ERROR', exact(fpr), ...(factor === undefined ? [] : ['EXPANSION', whole(factor)])];
  return { text: `${reserve.join(' ')}\nCF.ADD seen key\nCF.MEXISTS seen key another\nCF.DEL seen key`,
    note: `The server plans a ledger for these items and this rate, and knows no other limits. It grows when it is full${factor === undefined ? ', by filters of the same size: EXPANSION says otherwise' : ''}.` };
}

function redis(made, usual, ofFile) {
  const { request, candidate, index, chain, server, once } = made;
  const asked = 'BF.MEXISTS seen key another';
  if (erases(made)) return cuckoo(chain ?? request, usual);
  const block = (bits) => (bits === usual.block_bits ? [] : ['BLOCK', String(bits)]);
  if (chain) {
    if (server.error) return { text: '', note: `A server cannot grow like this: ${server.error}.` };
    const reserve = ['BF.RESERVE', 'seen', exact(chain.fpr), whole(chain.first_keys), ...(chain.factor === undefined ? [] : ['EXPANSION', whole(chain.factor)]), ...block(chain.block_bits)];
    return { text: `${reserve.join(' ')}\nBF.MADD seen key another\n${asked}`, note: 'The server plans its links from a table: each may need some percent more.' };
  }
  const known = ['keys', 'fpr', 'block_bits'];
  const ours = server && !server.error && !needsAllKeys(candidate) && (index === 0 ? candidate.admissible || server.scheme === candidate.scheme : once)
    && said(request, usual).every(([name]) => known.includes(name) || name === 'static');
  if (ours) {
    const reserve = ['BF.RESERVE', 'seen', exact(request.fpr), whole(request.keys), 'NONSCALING', ...(index > 0 ? ['SCHEME', candidate.scheme] : []),
      ...block(request.block_bits ?? usual.block_bits)];
    const large = server.memory_bytes > mostBytes ? ' A key may have as much only if the module was loaded with a larger max-bytes, or the server has a maxmemory.' : '';
    return { text: `${reserve.join(' ')}\nBF.MADD seen key another\n${asked}`,
      note: `The server plans from a table: ${server.scheme}, ${bytes(server.memory_bytes)}.${large} Without NONSCALING the key grows when it is full.` };
  }
  const why = needsAllKeys(candidate) ? 'A server makes no filter that needs all keys at once' : 'BF.RESERVE takes a rate and a number of items, and no other limits';
  const refused = server?.error ? ` (${server.error})` : '';
  if (!ofFile) return { text: '', note: `${why}${refused}, and there is no command whose file it could load.` };
  return { text: `BF.LOADFILE seen keys.sluice\n${asked}`, note: `${why}${refused}: it loads the file that the command makes, from the folder that the module was given.` };
}

/** Lines and a note for every form. `made`:
 *  request    as asked for, and `described` by the module
 *  candidate  with its `index`; `once`: no other one has its scheme
 *  way        to the candidate by the command (module.js: wayTo)
 *  server     what BF.RESERVE makes, or {error}; null where it has no keys and rate
 *  chain      in place of all these but server: {fpr, first_keys, factor, block_bits, erase} */
export function linesOf(made, usual) {
  const shell = command(made, usual);
  const ofFile = shell.text !== '';
  return { command: shell, cpp: cpp(made, usual), python: python(made, usual), c: c(made, usual, ofFile), redis: redis(made, usual, ofFile) };
}
