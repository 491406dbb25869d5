// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// What the page offers under "Make it" works: for a grid of requests and every candidate of each, the command's lines are
// run on a small file of keys, and make what the page says; the lines for C++, C and Python are run, those for Redis sent
// to a server, each where there is what it takes. The chain that is shown is the one that is built.
// usage: node making_test.mjs WEB_FOLDER COMMAND [REQUESTS]    beside the command: the Python package and the Redis module
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const [, , web, commandAt, count = '100'] = process.argv;
const command = path.resolve(commandAt);
const build = path.dirname(command);
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const run = promisify(execFile);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'making'));
fs.writeFileSync(path.join(folder, 'package.json'), '{"type": "module"}');
for (const name of fs.readdirSync(web).filter((n) => n.endsWith('.js') && !n.startsWith('uPlot'))) fs.copyFileSync(path.join(web, name), path.join(folder, name));
const load = async (name) => import(pathToFileURL(path.join(folder, name)).href);
const { Sluice } = await load('module.js');
const { linesOf } = await load('making.js');
const { fromAddress, requestOf, usualState } = await load('fields.js');
const sluice = new Sluice(new WebAssembly.Module(fs.readFileSync(path.join(web, 'sluice.wasm'))));
const empty = usualState(sluice.usual);

const hasList = ({ scheme }) => ['single', 'sequential', 'mht', 'ledger'].includes(scheme); // which counts beside the blocks

let [passed, failed] = [0, 0];
const skipped = [];
const test = async (name, body) => {
  try { await body(); ++passed; } catch (e) { ++failed; console.error(`making: ${name}: ${e.message} ${e.stderr ?? ''}`); }
};

/** As many keys as the request has, and 2000 at most: a static filter takes no more. */
const writeKeys = ({ keys = 2000 }) => fs.writeFileSync(path.join(folder, 'keys.txt'), Array.from({ length: Math.min(2000, keys) }, (_, i) => `key${i}\n`).join(''));
fs.writeFileSync(path.join(folder, 'some.txt'), 'key7\nkey99\n');

/** As the page's worker answers: every candidate of an address, with its lines. */
function offered(address) {
  const state = fromAddress(address, empty);
  const { request, growth, wrong } = requestOf(state);
  assert.deepEqual(wrong, {}, address);
  const server = (keys, index) => {
    if (keys === undefined || request.fpr === undefined) return null;
    try { return sluice.serverFilter(keys, request.fpr, request.block_bits, index); } catch (e) { return { error: e.message }; }
  };
  if (state.arrival === 'growing') {
    const chain = sluice.chain(request, growth.first_keys, growth.factor ?? sluice.usual.factor);
    const made = { chain: { fpr: request.fpr, block_bits: request.block_bits, erase: request.erase, ...growth }, server: server(growth.first_keys) };
    return [{ request, chain, lines: linesOf(made, sluice.usual) }];
  }
  const { request: described, candidates } = sluice.plan(request);
  return candidates.map((candidate, index) => {
    const its = server(request.keys, index > 0 ? index : undefined);
    if (its?.error) sluice.plan(request); // who refuses ends the instance
    const way = sluice.wayTo(index);
    const once = candidates.filter((c) => c.scheme === candidate.scheme).length === 1;
    return { request, candidate, index, way, lines: linesOf({ request, described, candidate, index, once, way, server: its }, sluice.usual) };
  });
}

const grid = ['#keys=2000&fpr=1e-6', '#keys=1e5&fpr=1e-12', '#keys=1e6&fpr=0.001&arrival=growing', '#keys=2000&fpr=1e-6&arrival=static',
  '#keys=2000&fpr=1e-4&erase=1', '#given=keys-memory&keys=1e5&memory_bytes=60k&max_blocks=1', '#keys=1e5&fpr=1e-4&shards=4', '#given=memory-fpr&memory_bytes=200k&fpr=1e-4',
  '#keys=2000&fpr=1e-5&no_list=1&hit_ratio=0.1', '#keys=1e5&fpr=1e-4&block_bits=256', '#keys=1e5&fpr=1e-4&concurrent=1',
  '#keys=5000&fpr=1e-5&arrival=growing&first_keys=1000&factor=2&block_bits=256', '#given=memory-fpr&memory_bytes=5k&fpr=1e-4&arrival=static',
  '#keys=2000&fpr=0.01', '#keys=2000&fpr=1e-3&max_blocks=1&mean_cost=1', '#keys=2000&fpr=1e-5&accesses_hit=1.01&accesses_miss=1.001',
  '#keys=1e5&fpr=1e-4&overload=1.5&by=lines', '#keys=1e5&fpr=1e-4&by=time&second_line_cost=0.25', '#keys=1e5&fpr=1e-3&block_bits=1024',
  '#keys=1e5&fpr=1e-4&mergeable=1', '#given=keys-memory&keys=1e5&memory_bytes=300k', '#given=memory-fpr&memory_bytes=200k&fpr=1e-4&shards=4',
  '#keys=2000&fpr=1e-3&arrival=static', '#keys=100&fpr=0.2&arrival=static', '#keys=2000&fpr=1e-6&arrival=static&no_list=1',
  '#keys=2000&fpr=1e-6&arrival=static&mergeable=1', '#given=keys-memory&keys=2000&memory_bytes=5k&arrival=static',
  '#keys=1e5&fpr=0.3&arrival=growing&given=keys-memory&memory_bytes=1k&max_blocks=1', '#keys=5000&fpr=1e-3&arrival=growing&first_keys=1000&factor=2&erase=1',
  '#given=memory-fpr&memory_bytes=200k&fpr=1e-4&erase=1', '#given=keys-memory&keys=1e5&memory_bytes=300k&erase=1'].slice(0, Number(count));
const all = grid.flatMap((address) => offered(address).map((one) => ({ address: `${address} [${one.index ?? 'chain'}]`, ...one })));

// Commands: each line of what is offered ends with status 0, and what it makes is what the page says.
let commands = 0;
for (const { address, request, candidate, way, lines } of all) {
  writeKeys(request);
  await test(`${address}: ${lines.command.text.split('\n').at(-1) || 'no command'}`, async () => {
    if (!lines.command.text) { assert(lines.command.note.length > 20, 'neither a command nor a reason'); return; }
    for (const line of lines.command.text.split('\n')) {
      const [program, ...args] = line.split(' ');
      assert.equal(program, 'sluice');
      const wanted = args[0] === 'build' ? ['--force', '--json'] : ['--json'];
      const { stdout } = await run(command, [...args, ...wanted], { cwd: folder, maxBuffer: 1 << 24 });
      ++commands;
      if (!candidate || args[0] !== 'build') continue;
      const report = JSON.parse(stdout);
      assert.equal(report.scheme, candidate.scheme);
      // A static filter is planned for the keys that are there, any other for those that were said.
      if (!(candidate.static || candidate.scheme === 'sealed')) {
        const info = JSON.parse((await run(command, ['info', '--json', 'keys.sluice'], { cwd: folder })).stdout);
        const [{ filter_bytes: bytes }] = info.filters;
        assert(hasList(candidate) ? bytes <= way.memory_bytes : bytes === way.memory_bytes, `${bytes} bytes, not ${way.memory_bytes}`);
      }
    }
    const { stdout } = await run(command, ['query', '--count', 'keys.sluice', 'some.txt'], { cwd: folder });
    assert.equal(stdout.trim(), '2');
  });
}
await test('there were commands', () => assert(commands > 5 * grid.length, `${commands}`));
await test('a rate that needs looser limits', () => {
  const [{ lines }] = all.filter(({ address }) => address === '#keys=1e5&fpr=1e-12 [0]');
  assert.match(lines.command.text, /^sluice plan --keys 1e5 --fpr 1e-12 --by lines --max-blocks 40 --mean-cost 21\nsluice build /);
  assert.match(lines.command.note, /more than was asked for: --by lines --max-blocks 40 --mean-cost 21\./);
});

// The chain: what is shown of 6000 keys is what 6000 keys make, so many that the last link is not folded.
await test('the chain that is shown is the one that is built', async () => {
  fs.writeFileSync(path.join(folder, 'chained.txt'), Array.from({ length: 6000 }, (_, i) => `chained${i}\n`).join(''));
  const [{ chain, lines }] = offered('#keys=6000&fpr=1e-3&arrival=growing&first_keys=1000');
  const [, ...args] = lines.command.text.replace('keys.txt', 'chained.txt').split(' ');
  const { stdout } = await run(command, [...args, '--force', '--json'], { cwd: folder });
  const report = JSON.parse(stdout);
  assert.equal(report.filters, chain.links.length);
  assert.equal(report.filters, 3);
  const sizes = chain.links.map(({ capacity, keys }) => [capacity, keys]);
  assert.deepEqual(sizes, [[1000, 1000], [2000, 2000], [4000, 3000]]);
  const rough = (ours, theirs, share, what) => assert(Math.abs(ours / theirs - 1) < share, `${what}: the page says ${ours}, the file ${theirs}`);
  rough(chain.fpr, report.fpr_from_fill, 0.25, 'rate');
  rough(chain.accesses_miss, report.accesses_miss_from_fill, 0.01, 'lines a miss');
  const { filters } = JSON.parse((await run(command, ['info', '--json', 'keys.sluice'], { cwd: folder })).stdout);
  assert.deepEqual(chain.links.map((l) => [l.scheme, l.hashes, l.memory_bytes]), filters.map((f) => [f.scheme, f.hashes, f.filter_bytes]));
  assert.equal(chain.memory_bytes, filters.reduce((sum, f) => sum + f.filter_bytes, 0));
  assert.equal(chain.memory_bits_per_key, (8 * chain.memory_bytes) / 6000);
  const { bits_in_memory: memory, bits_in_file: file } = chain;
  assert(memory.best <= chain.memory_bits_per_key && chain.memory_bits_per_key < memory.worst, JSON.stringify(memory));
  assert(file.best <= file.mean && file.mean < memory.mean && file.worst < 0.75 * memory.worst, JSON.stringify(file));
  assert(chain.accesses_miss > 2.9 && chain.accesses_hit > 1.5 && chain.accesses_hit < chain.accesses_miss);
});

// The textbook's numbers are those of every calculator.
await test('what the textbook says', () => {
  for (const [fpr, bits, hashes] of [[0.01, 9.585, 7], [0.001, 14.378, 10], [1e-6, 28.756, 20], [0.5, 1.4427, 1], [0.9, 0.4343, 1], [1e-12, 57.511, 40]]) {
    const t = sluice.textbook({ keys: 1e6, fpr });
    assert(Math.abs(t.bits_per_key / bits - 1) < 0.002 && t.hashes === hashes && Math.abs(t.bits / (1e6 * t.bits_per_key) - 1) < 1e-5, JSON.stringify(t));
    assert(t.accesses_hit === hashes && t.accesses_miss <= Math.min(hashes, 2.1) && t.accesses_miss > Math.min(hashes, 1.9) - 0.1, JSON.stringify(t));
  }
  assert(Math.abs(sluice.textbook({ keys: 1e6, memory_bytes: 1198000 }).fpr / 0.01 - 1) < 0.02);
  assert(Math.abs(sluice.textbook({ fpr: 0.01, memory_bytes: 1198000 }).keys / 1e6 - 1) < 0.01);
  for (const fpr of [1e-200, 2, NaN]) assert.equal(sluice.textbook({ keys: 1e6, fpr }), null);
});

const unique = (form) => [...new Map(all.filter(({ lines }) => lines[form].text).map(({ address, lines }) => [lines[form].text, { address, text: lines[form].text }])).values()];
await test('every form has lines or a reason', () => {
  for (const { address, lines } of all) for (const [form, { text, note }] of Object.entries(lines)) assert(text || note.length > 20, `${address}: ${form}`);
});

// C++ and C: one program of each, every offer in a scope of its own. Files that are opened are the last command's.
const library = path.join(build, 'src/libsluice.a');
async function runs(form, extension, head, wrong, compiler, options) {
  const source = path.join(folder, `lines.${extension}`);
  const offers = unique(form).map(({ address, text }) => `  { // ${address}\n${text.replaceAll(/^#include.*$/gm, '')}\n  if (${wrong(text)}) { puts("${address}"); return 1; }\n  }`);
  fs.writeFileSync(source, `${head}\n${offers.join('\n')}\n  return 0;\n}\n`);
  await run(compiler, ['-Wall', '-Wextra', '-Werror', ...options, '-I', path.join(root, 'include'), '-c', source, '-o', `${source}.o`], { maxBuffer: 1 << 24 });
  await run('g++', [`${source}.o`, library, '-o', `${source}.run`]);
  try { await run(`${source}.run`, [], { cwd: folder }); } catch (e) { throw new Error(`${e.stdout}${e.message}`); }
}
const has = (program) => { try { execFileSync(program, ['--version'], { stdio: 'ignore' }); return true; } catch { return false; } };
if (has('g++') && has('gcc') && fs.existsSync(library)) {
  await test('the C++ lines run', () => runs('cpp', 'cpp', '#include <cstdio>\n#include <sluice/sluice.hpp>\n#include <string>\n#include <vector>\n\nint main() {\n  const std::vector<std::string> keys{"key", "another"};',
    () => '!found', 'g++', ['-std=c++20']));
  await test('the C lines run', () => runs('c', 'c', '#include <sluice.h>\n#include <stdio.h>\n\nint main(void) {',
    (text) => (text.includes('sluice_build') ? 'found != 1' : 'found == -1'), 'gcc', ['-std=c11', '-pedantic']));
} else skipped.push('C++ and C');

if (fs.existsSync(path.join(build, 'python/sluice'))) {
  await test('the Python lines run', async () => {
    const script = ['import io, contextlib', 'keys = [f"key{i}" for i in range(2000)] + ["key"]', ''];
    const madeBy = new Map(all.filter(({ candidate }) => candidate).map(({ lines, candidate }) => [lines.python.text, candidate]));
    for (const { address, text } of unique('python')) {
      script.push(`said = io.StringIO()\nwith contextlib.redirect_stdout(said):\n    exec(compile(${JSON.stringify(text)}, ${JSON.stringify(address)}, "exec"))`,
        `assert said.getvalue() == "True\\n", (${JSON.stringify(address)}, said.getvalue())`);
      const candidate = madeBy.get(text); // this filter, and no other
      if (candidate && !text.includes('build_static')) {
        const { scheme, hashes, remainder_bits: rho, bits } = candidate;
        script.push('told = (f.snapshot() if hasattr(f, "snapshot") else f).info()["filters"][0]', 'p = told["parameters"]', `where = ${JSON.stringify(address)}`,
          `assert [p["scheme"], p.get("hashes", p.get("remainder_bits"))] == ${JSON.stringify([scheme, hashes ?? rho])} and told["memory"] >= ${bits / 8}, (where, told)`);
        if (!hasList(candidate)) script.push(`assert told["memory"] == ${bits / 8}, (where, told)`);
      }
    }
    fs.writeFileSync(path.join(folder, 'lines.py'), script.join('\n'));
    await run('/usr/bin/python3', ['lines.py'], { cwd: folder, env: { ...process.env, PYTHONPATH: path.join(build, 'python'), PYTHONDONTWRITEBYTECODE: '1' } });
  });
} else skipped.push('Python');

const module = path.join(build, 'integrations/redis/sluice.so');
if (fs.existsSync(module) && has('redis-server') && has('redis-cli')) {
  const socket = path.join(folder, 'socket');
  const server = spawn('redis-server', ['--port', '0', '--unixsocket', socket, '--dir', folder, '--save', '', '--loadmodule', module, 'folder', folder], { stdio: 'ignore' });
  const ask = (line) => execFileSync('redis-cli', ['-s', socket, ...line.split(' ')], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  for (let i = 0; i < 100; ++i) {
    try { if (ask('PING') === 'PONG') break; } catch { /* not yet */ }
    await new Promise((go) => { setTimeout(go, 100); });
  }
  for (const { address, request, lines, candidate } of all.filter(({ lines: l }) => l.redis.text)) {
    await test(`${address}: ${lines.redis.text.split('\n')[0]}`, async () => {
      ask('DEL seen');
      if (lines.redis.text.startsWith('BF.LOADFILE')) {
        writeKeys(request);
        const [, ...args] = lines.command.text.split('\n').at(-1).split(' ');
        await run(command, [...args, '--force'], { cwd: folder });
        assert.equal(ask('BF.LOADFILE seen keys.sluice'), 'OK');
        assert.equal(ask('BF.MEXISTS seen key7 key99'), '1\n1');
        return;
      }
      const [reserve, add, exists, del] = lines.redis.text.split('\n');
      assert.equal(ask(reserve), 'OK');
      if (reserve.startsWith('CF.')) {
        assert.equal(ask(add), '1');
        assert.match(ask(exists), /^1\n/);
        assert.deepEqual([ask(del), ask('CF.EXISTS seen key')], ['1', '0']);
        return;
      }
      assert.equal(ask(add), '1\n1');
      assert.equal(ask(exists), '1\n1');
      if (!candidate) return;
      const told = Object.fromEntries(ask('BF.STATS seen').split('\n').reduce((rows, word, i) => (i % 2 ? (rows.at(-1).push(word), rows) : [...rows, [word]]), []));
      const [, scheme, size] = /: ([\w-]+), ([\d.]+) /.exec(lines.redis.note);
      assert(Number.parseFloat(told.Bytes).toString().startsWith(size.replace('.', '').slice(0, 2)), `${told.Bytes} bytes, the page says ${size}`);
      if (reserve.includes('SCHEME')) assert.equal(scheme, candidate.scheme);
    });
  }
  server.kill();
  await new Promise((go) => { server.once('exit', go); });
} else skipped.push('Redis');

fs.rmSync(folder, { recursive: true });
console.log(`${passed} passed, ${failed} failed${skipped.length ? `; not tried: ${skipped.join(', ')}` : ''}; ${commands} commands`);
process.exitCode = failed ? 1 : 0;
