// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The page in a real browser: load, type, drag, share, bad input, every picture, keyboard, phone, dark; no error in the
// console, nothing that holds the page up. Screenshots stay in OUT, to be looked at.
// usage: node explorer_test.mjs WEB_FOLDER NODE_MODULES OUT [ONLY]    ONLY: an expression that the tests' names match
// With BUSY=1, for machines that do other work: times are told and not demanded, and a test that fails is tried again.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const [, , web, packages, out, only = ''] = process.argv;
const { chromium } = await import(pathToFileURL(path.resolve(packages, 'playwright-core/index.mjs')).href);
fs.mkdirSync(out, { recursive: true });
const serve = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../integrations/web/serve.py');
const server = spawn('/usr/bin/python3', [serve, web, '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
const url = await new Promise((go) => { server.stdout.once('data', (line) => go(String(line).trim())); });
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu',
  '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'] });

const busy = process.env.BUSY === '1';
const within = (milliseconds, limit, what) => assert(busy || milliseconds < limit, `${what}: ${milliseconds} ms, not ${limit}`);
let [passed, failed] = [0, 0];
async function test(name, body, options = {}, again = busy) {
  if (!new RegExp(only).test(name)) return;
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 }, permissions: ['clipboard-read', 'clipboard-write'], ...options });
  const page = await context.newPage();
  const errors = [];
  page.on('console', (m) => { if (m.type() === 'error' || m.type() === 'warning') errors.push(m.text()); });
  page.on('pageerror', (e) => errors.push(e.message));
  page.setDefaultTimeout(60000);
  try {
    await body(page);
    assert.deepEqual(errors, [], 'errors in the console');
    ++passed;
  } catch (e) {
    console.error(`explorer: ${name}: ${e.message}${again ? '; once more' : ''}`);
    await page.screenshot({ path: path.join(out, `failed-${name.replace(/\W+/g, '-')}.png`) }).catch(() => {});
    await context.close();
    if (again) return test(name, body, options, false);
    ++failed;
  }
  return context.close();
}
const open = async (page, hash = '') => {
  await page.goto(`${url}${hash}`);
  await page.waitForSelector('#candidates tbody tr, #message:not([hidden])');
};
const settled = (page) => page.waitForFunction(() => !document.getElementById('answer').classList.contains('stale'));
const bestMemory = (page) => page.$eval('#candidates tbody tr td:nth-child(3)', (td) => td.textContent);
/** How many different colours a canvas has, and the share of its pixels that something was drawn on. */
const ink = (page, selector) => page.$eval(selector, (canvas) => {
  const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height });
  const read = copy.getContext('2d', { willReadFrequently: true }); // the page's own canvas is not made to be read
  read.drawImage(canvas, 0, 0);
  const { data } = read.getImageData(0, 0, canvas.width, canvas.height);
  const seen = new Map();
  for (let i = 0; i < data.length; i += 4) { const c = (data[i] << 24) | (data[i + 1] << 16) | (data[i + 2] << 8) | data[i + 3]; seen.set(c, (seen.get(c) ?? 0) + 1); }
  return { colours: seen.size, drawn: 1 - Math.max(...seen.values()) / (data.length / 4) };
});

await test('loads and recommends', async (page) => {
  await open(page);
  assert.equal(await page.$eval('#best .value', (e) => e.textContent), 'gated');
  assert.equal(await bestMemory(page), '391 MB');
  assert.equal((await page.$$('#candidates tbody tr')).length, 9);
  assert.match(await page.textContent('#command'), /^sluice plan --keys 1e8 --fpr 1e-6\nsluice build --keys 1e8/);
  assert.match(await page.textContent('#cpp'), /for_keys\(100'000'000, {\.fpr = 1e-6}\)/);
  assert.match(await page.textContent('#letters'), /n keys100,000,000m bits3,127,\d{3},\d{3}k positions a key20 /);
  assert.match(await page.textContent('#textbook'), /359\.4 MB, 28\.76 bits a key, k = 20; a hit reads 20 lines, a miss 2\.0/);
});

await test('lines for every language, one at a time', async (page) => {
  await open(page);
  for (const [form, said] of [['python', /^import sluice\n\nf = sluice\.Filter\(keys=100_000_000, fpr=1e-6\)/], ['c', /\.keys = 100000000, \.fpr = 1e-6};\nsluice_filter\* f = sluice_build/],
    ['redis', /^BF\.RESERVE seen 1e-6 100000000 NONSCALING\n/], ['cpp', /^auto f = /]]) {
    await page.check(`[name=lines][value=${form}]`);
    assert.match(await page.textContent(`#${form}`), said);
    assert.deepEqual(await page.$$eval('.code', (all) => all.filter((e) => !e.hidden).map((e) => e.dataset.form)), [form]);
    await page.click('#copy');
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await page.textContent(`#${form}`));
  }
  await page.check('[name=lines][value=redis]');
  await page.click('#share');
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /lines=redis/);
  await page.check('[name=arrival][value=static]');
  await page.waitForFunction(() => document.getElementById('redis').textContent.startsWith('BF.LOADFILE'));
  assert.match(await page.textContent('#lines-note'), /file that the command makes/);
  await page.check('[name=arrival][value=online]');
  await page.fill('#in-fpr', '1e-12'); // nothing keeps the limits: the command allows more, and says so
  await page.check('[name=lines][value=command]');
  await page.waitForFunction(() => /^sluice plan .*--max-blocks 40 --mean-cost 21\nsluice build .*--max-blocks 40 --mean-cost 21 -o/.test(document.getElementById('command').textContent));
  assert.match(await page.textContent('#lines-note'), /more than was asked for/);
  await page.fill('#in-fpr', '1e-4');
  await settled(page);
  const row = await page.$$eval('#candidates tbody tr', (rows) => rows.findIndex((r) => r.textContent.includes('classic')));
  await page.click(`#candidates tbody tr:nth-child(${row + 1}) td:nth-child(2)`);
  await page.waitForFunction(() => document.getElementById('command').textContent.includes('--max-blocks'));
  await settled(page);
});

await test('keys that are erased again ask for a ledger', async (page) => {
  await open(page, '#keys=1e6&fpr=1e-4');
  await settled(page);
  await page.check('[data-flag=erase]');
  await page.waitForFunction(() => document.querySelector('#best .value')?.textContent === 'ledger');
  await settled(page);
  assert.match(await page.textContent('#letters'), /rho bits of a remainder, in place of positions15/);
  assert.match(await page.textContent('#command'), /^sluice plan .*--erasable\nsluice build .*--erasable -o/);
  assert.match(await page.textContent('#lines-note'), /sluice remove keys\.sluice/);
  assert.match(await page.textContent('#cpp'), /\.erase = true[^]*f\.erase\("key"\);/);
  assert.equal(await page.$eval('#candidates tbody tr td:last-child', (td) => td.textContent), '-');
  await page.check('[name=arrival][value=growing]');
  await page.waitForFunction(() => document.getElementById('cpp').textContent.includes('.erasable = true'));
  const links = await page.textContent('#links tbody');
  assert(links.includes('ledger') && !links.includes('undefined'), links);
  assert.match(await page.textContent('#arrival-hint'), /keeps the rate up to its eighth link/);
  await page.check('[name=arrival][value=static]');
  assert(await page.isHidden('#erased'));
  await page.waitForFunction(() => document.querySelector('#best .value')?.textContent === 'sealed');
});

await test('old numbers are marked as old', async (page) => {
  await open(page);
  await settled(page);
  const seen = () => page.$eval('#answer', (e) => ({ busy: e.ariaBusy, faded: getComputedStyle(document.getElementById('best')).opacity, word: getComputedStyle(document.getElementById('busy')).visibility }));
  assert.deepEqual(await seen(), { busy: 'false', faded: '1', word: 'hidden' });
  // The worker's answers are held back until we have looked.
  await page.evaluate(() => {
    const post = Worker.prototype.postMessage;
    window.held = [];
    Worker.prototype.postMessage = function held(...message) { window.held.push(() => post.apply(this, message)); };
  });
  await page.fill('#in-fpr', '0.1%');
  await page.waitForFunction(() => getComputedStyle(document.getElementById('busy')).visibility === 'visible' && getComputedStyle(document.getElementById('best')).opacity === '0.4');
  assert.equal((await seen()).busy, 'true');
  assert.equal(await page.$eval('#candidates', (e) => getComputedStyle(e).opacity), '0.4');
  await page.evaluate(() => { for (const go of window.held) go(); });
  await settled(page);
  await page.waitForFunction(() => getComputedStyle(document.getElementById('best')).opacity === '1');
  assert.equal((await seen()).busy, 'false');
});

await test('every picture is drawn', async (page) => {
  await open(page);
  for (const plot of ['#by-bits', '#by-load', '#by-block']) await page.waitForSelector(`${plot} canvas`);
  await page.waitForFunction(() => document.querySelectorAll('#legend li').length === 9);
  await page.waitForTimeout(2500);
  for (const [canvas, colours, drawn] of [['#by-bits canvas', 40, 0.02], ['#by-load canvas', 40, 0.02], ['#by-block canvas', 5, 0.02], ['#blocks', 5, 0.2]]) {
    const seen = await ink(page, canvas);
    assert(seen.colours >= colours && seen.drawn > drawn, `${canvas}: ${JSON.stringify(seen)}`);
  }
  await page.hover('#by-bits .u-over');
  assert.match(await page.textContent('#by-bits .tip'), /bits a key \d.*gated/);
  await page.screenshot({ path: path.join(out, 'light.png'), fullPage: true });
});

await test('typing and dragging plan anew, and the page never waits', async (page) => {
  await open(page);
  await page.evaluate(() => {
    [window.longest, window.planned] = [0, []];
    new PerformanceObserver((l) => { for (const e of l.getEntries()) window.longest = Math.max(window.longest, e.duration); }).observe({ entryTypes: ['longtask'] });
    // From a change to the table that answers it.
    let begun = 0;
    document.addEventListener('input', () => { begun ||= performance.now(); }, true);
    new MutationObserver(() => { if (begun) window.planned.push(performance.now() - begun); begun = 0; }).observe(document.querySelector('#candidates tbody'), { childList: true });
  });
  const before = await bestMemory(page);
  await page.fill('#in-keys', '1e6');
  await page.waitForFunction((old) => document.querySelector('#candidates tbody tr td:nth-child(3)')?.textContent !== old, before);
  const slider = await (await page.$('[data-field=fpr] input[type=range]')).boundingBox();
  await page.mouse.move(slider.x + slider.width * 0.35, slider.y + slider.height / 2);
  await page.mouse.down();
  for (let i = 0; i <= 20; ++i) {
    await page.mouse.move(slider.x + slider.width * (0.35 + i / 50), slider.y + slider.height / 2);
    await page.waitForTimeout(100);
  }
  await page.mouse.up();
  await settled(page);
  const dragged = Number(await page.inputValue('#in-fpr'));
  assert(dragged > 1e-5 && dragged < 0.5, `${dragged}`);
  const { longest, planned } = await page.evaluate(() => ({ longest: window.longest, planned: window.planned.sort((a, b) => a - b) }));
  const curves = await page.evaluate(async () => { // until the curves by bits have their eight coarsest points
    const begun = performance.now();
    document.querySelector('#by-bits').dataset.points = 0;
    document.getElementById('in-keys').value = '2e6';
    document.getElementById('in-keys').dispatchEvent(new Event('input', { bubbles: true }));
    while (document.querySelector('#by-bits').dataset.points < 72) await new Promise((go) => { setTimeout(go, 10); });
    return performance.now() - begun;
  });
  const median = planned[Math.floor(planned.length / 2)];
  console.log(`explorer: candidates after ${median.toFixed(0)} ms (median of ${planned.length}), curves after ${curves.toFixed(0)} ms, longest task of the page ${longest} ms`);
  within(longest, 100, 'a task of the page');
  within(median, 300, 'candidates after a change');
  within(curves, 1000, 'curves after a change');
});

await test('a link holds the whole plan', async (page) => {
  await open(page);
  await page.check('[name=given][value=keys-memory]');
  await page.fill('#in-memory_bytes', '2Mi');
  await page.fill('#in-keys', '1M');
  await page.check('[name=arrival][value=static]');
  await page.waitForFunction(() => document.querySelector('#candidates')?.textContent.includes('static'));
  await settled(page);
  await page.click('#candidates tbody tr:nth-child(3) td:nth-child(4)');
  await page.click('#share');
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await settled(page);
  const rows = await page.textContent('#candidates tbody');
  const cpp = await page.textContent('#cpp');
  await page.goto('about:blank');
  await page.goto(link);
  await page.waitForSelector('#candidates tbody tr');
  await page.waitForFunction(() => document.getElementById('cpp').textContent !== '');
  await settled(page);
  assert.equal(await page.textContent('#candidates tbody'), rows);
  assert.equal(await page.textContent('#cpp'), cpp);
  assert(await page.isChecked('#candidates tbody tr:nth-child(3) input'));
});

await test('nonsense is named, and the page goes on', async (page) => {
  await open(page);
  for (const [field, text, said] of [['fpr', '2', 'between 0 and 1'], ['fpr', '-1', 'between 0 and 1'], ['keys', '', 'Nothing is said'],
    ['keys', 'many', 'no number'], ['keys', '-5', 'from 1 to 1e18'], ['keys', '1e30', 'from 1 to 1e18'], ['keys', '1e400', 'no number']]) {
    const old = await page.inputValue(`#in-${field}`);
    await page.fill(`#in-${field}`, text);
    await page.waitForFunction((s) => document.getElementById('message').textContent.includes(s), said);
    assert.equal((await page.$$('#candidates tbody tr')).length, 0);
    await page.fill(`#in-${field}`, old);
    await page.waitForSelector('#candidates tbody tr');
    assert(await page.isHidden('#message'));
  }
  await page.fill('#in-max_blocks', '1');
  await page.fill('#in-fpr', '1e-9');
  await page.waitForFunction(() => document.querySelector('#best .value')?.textContent === 'blocked' || !document.getElementById('message').hidden);
  await page.goto('about:blank');
  await open(page, '#given=everything&keys=%3Cb%3Ex&by=luck&chosen=none&block_bits=7');
  assert.match(await page.textContent('#message'), /no number/);
  assert.equal(await page.$('#message b'), null);
  await page.goto('about:blank');
  await open(page, '#given=constructor&toString=1');
  assert.equal((await page.$$('#candidates tbody tr')).length, 9);
});

await test('no filter keeps the limits: the nearest is shown with its reason', async (page) => {
  await open(page, '#keys=1e6&fpr=1e-8&max_blocks=1&mean_cost=1&by=balanced');
  await settled(page);
  const message = await page.textContent('#message');
  const first = await page.$eval('#candidates tbody tr', (tr) => tr.className);
  assert.equal(first === 'broken', message !== '', `${first}: ${message}`);
});

await test('the picture counts what the filter does', async (page) => {
  await open(page);
  const count = async (name) => page.$$eval('#counts dt', (all, wanted) => all.find((dt) => dt.textContent.startsWith(wanted))?.nextSibling.textContent, name);
  for (const [number, scheme] of ['blocked', 'two-choice', 'MHT', 'gated'].entries()) {
    await page.check(`[name=picture][value="${number}"]`);
    assert.match(await count('keys'), /^0,/);
    const empty = await ink(page, '#blocks');
    await page.click('[data-insert="1"]');
    assert.match(await count('keys'), /^1,/);
    await page.click('[data-insert="1000"]');
    await page.click('[data-lookup=stored]');
    assert.match(await page.textContent('#event'), /Found, as it must be.*(one line|lines)/);
    await page.click('[data-lookup=absent]');
    assert.match(await page.textContent('#event'), /The lookup read/);
    await page.waitForTimeout(400);
    assert((await ink(page, '#blocks')).drawn > empty.drawn, `${scheme} did not fill`);
    const perMiss = Number(await count('lines per miss'));
    assert(scheme === 'two-choice' ? perMiss > 1.9 : perMiss < (scheme === 'MHT' ? 1.6 : 1.2), `${scheme}: ${perMiss} lines per miss`);
    assert.equal(await count('gates closed') !== undefined, scheme === 'gated');
  }
  await page.click('[data-insert="1000"]');
  assert(Number((await count('gates closed')).split(' ')[0]) > 0, 'no gate was closed by 2001 keys');
  await page.click('#pour');
  await page.waitForFunction(() => document.getElementById('pour').getAttribute('aria-pressed') === 'false');
});

await test('a chain that grows', async (page) => {
  await open(page, '#keys=5M&fpr=0.1%25&arrival=growing');
  await page.waitForSelector('#links tbody tr:nth-child(8)');
  await settled(page);
  // The tiles are the chain's: not those of the one filter that the plan below is about.
  const tiles = async () => Object.fromEntries(await page.$$eval('#best > div', (all) => all.map((e) => [e.children[0].textContent, e.children[1].textContent])));
  const shown = await tiles();
  assert.deepEqual([shown['a chain of'], shown.memory, shown['bits a key']], ['8 links', '23.52MB', '37.62']);
  assert(Number(shown['lines per miss']) > 8 && Number(shown['lines per miss']) < 8.2 && Number(shown['lines per hit']) > 1.1, JSON.stringify(shown));
  assert(Number(shown['false positives']) < 0.001 && Number(shown['false positives']) > 5e-4, JSON.stringify(shown));
  assert.match(await page.textContent('#links tbody'), /32,768.*65,536.*131,072.*262,144.*4,194,304/);
  assert.match(await page.textContent('#letters'), /m bits188,121,088k positions a key, by link13, 13, 13, 14, 14, 14, 14, 14$/);
  // What is about one filter says so, and comes after what is about the chain.
  assert.equal(await page.textContent('#candidates-title'), 'One filter in place of the chain');
  assert(await page.isVisible('#candidates-of'));
  assert.equal(await page.textContent('#curves-title'), 'Curves of single filters');
  assert(await page.evaluate(() => Boolean(document.getElementById('make').compareDocumentPosition(document.getElementById('plan')) & Node.DOCUMENT_POSITION_FOLLOWING)));
  // A row of the plan does not change what is told of the chain.
  await page.click('#candidates tbody tr:nth-child(2) td:nth-child(3)');
  assert.deepEqual(await tiles(), shown);
  assert.match(await page.textContent('#command'), /^sluice build --grow --fpr 1e-3 -o/);
  assert.match(await page.textContent('#cpp'), /growing_filter f\({\.fpr = 1e-3}\)/);
  assert.match(await page.textContent('#redis'), /^BF\.RESERVE seen 1e-3 32768\n/);
  for (const id of ['in-memory_bytes', 'in-max_blocks', 'in-mean_cost']) assert(await page.isHidden(`#${id}`), `a chain keeps no ${id}`);
  // Larger steps need more memory on the way, and fewer lines.
  const worst = async () => Number(/(\d+) \(\d+ on average\) bits a key in memory/.exec(await page.textContent('#chain-note'))[1]);
  const before = await worst();
  await page.fill('#in-factor', '8');
  await page.waitForFunction(() => document.querySelector('#best .value')?.textContent === '4 links');
  await settled(page);
  assert(Number((await tiles())['lines per miss']) < 4.1, JSON.stringify(await tiles()));
  assert(before > 40 && before < 70 && await worst() > 2 * before, `${before}, ${await worst()}`);
  assert.match(await page.textContent('#command'), /--growth 8 /);
  await page.fill('#in-fpr', '1e-12'); // less than a chain can have
  await page.waitForFunction(() => /1e-9 to 1/.test(document.getElementById('message').textContent));
  await settled(page);
  assert.equal(await page.textContent('#best'), '');
  assert.equal(await page.textContent('#command'), '');
  await page.check('[name=arrival][value=online]');
  await page.waitForFunction(() => /^sluice plan/.test(document.getElementById('command').textContent));
  assert.equal(await page.textContent('#candidates-title'), 'Candidates');
  assert(await page.isHidden('#chain'));
});

await test('the table goes out as CSV and JSON', async (page) => {
  await open(page);
  const file = async (id) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.click(id)]);
    return fs.readFileSync(await download.path(), 'utf8');
  };
  const { request, candidates } = JSON.parse(await file('#json'));
  assert.equal(request.keys, 1e8);
  const lines = (await file('#csv')).trim().split('\r\n');
  assert.equal(lines.length, candidates.length + 1);
  assert(lines[0].startsWith('scheme,design,fpr,fpr_exact') && lines[1].startsWith(`gated,page,${candidates[0].fpr},`), lines[1]);
});

await test('a keyboard is enough, and everything has a name', async (page) => {
  await open(page);
  await page.focus('#candidates input:checked');
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.$eval('#best .value', (e) => e.textContent), 'blocked');
  await page.focus('[data-field=hit_ratio] input[type=range]');
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.inputValue('#in-hit_ratio'), '0.51');
  // Past the form, whose request stays as it is.
  await page.waitForFunction(() => location.hash.includes('hit_ratio=0.51'));
  await page.focus('.skip');
  await page.keyboard.press('Enter');
  assert.deepEqual(await page.evaluate(() => [document.activeElement.id, location.hash.includes('hit_ratio=0.51')]), ['answer', true]);
  await page.evaluate(() => new Promise((go) => { addEventListener('hashchange', go, { once: true }); location.hash = '#best'; }).then(() => {}));
  assert.equal(await page.inputValue('#in-hit_ratio'), '0.51');
  const nameless = await page.$$eval('button, input, select, canvas#blocks, [role=img]', (all) => all.filter((e) => !(e.ariaLabel || e.labels?.length || e.textContent.trim())).map((e) => e.outerHTML));
  assert.deepEqual(nameless, []);
});

await test('a phone', async (page) => {
  await open(page);
  await page.waitForSelector('#by-block canvas');
  await page.waitForTimeout(800);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  await page.screenshot({ path: path.join(out, 'phone.png'), fullPage: true });
  // Every number of every candidate is on the page, below the name of its column.
  const cells = await page.$$eval('#candidates tbody tr:first-child td', (all) => all.map((td) => {
    const { left, right, width, height } = td.getBoundingClientRect();
    return { label: getComputedStyle(td, '::before').content, inside: left >= 0 && right <= 390 && width > 30 && height > 10, whole: td.scrollWidth <= td.clientWidth + 1 };
  }));
  assert.deepEqual(cells.slice(1).map(({ label }) => label), ['bits a key', 'memory', 'FPR', 'lines, hit', 'lines, miss', 'cost', 'time', 'FPR at 1.25'].map((name) => `"${name}"`));
  assert(cells.every(({ inside, whole }) => inside && whole), JSON.stringify(cells));
  // What the words mean is there without a pointer that hovers.
  for (const word of ['lines', 'cost', 'time']) {
    const meaning = await page.locator('#words div', { has: page.locator('dt', { hasText: new RegExp(`^${word}$`) }) });
    assert(await meaning.isVisible() && (await meaning.locator('dd').textContent()).length > 40, word);
  }
  assert.equal(await page.$('[title]'), null);
  // Code is not broken within lines: it scrolls, and nothing lies over it.
  for (const form of ['command', 'cpp', 'python', 'c', 'redis']) {
    await page.check(`[name=lines][value=${form}]`);
    const code = await page.$eval(`#${form}`, (pre) => {
      const lines = pre.textContent.split('\n').length;
      const style = getComputedStyle(pre);
      const { left, right, bottom } = pre.getBoundingClientRect();
      return { lines, shown: Math.round((pre.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom)) / parseFloat(style.lineHeight)),
        inside: left >= 0 && right <= 390, below: document.getElementById('copy').getBoundingClientRect().top >= bottom, scrolls: style.overflowX };
    });
    assert.deepEqual(code, { lines: code.lines, shown: code.lines, inside: true, below: true, scrolls: 'auto' }, form);
  }
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  await page.goto('about:blank');
  await open(page, '#keys=5M&fpr=0.1%25&arrival=growing&lines=cpp');
  await page.waitForSelector('#links tbody tr:nth-child(8)');
  await settled(page);
  await page.waitForTimeout(800);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  await page.screenshot({ path: path.join(out, 'phone-growing.png'), fullPage: true });
}, { viewport: { width: 390, height: 844 }, hasTouch: true });

await test('dark', async (page) => {
  await open(page);
  const light = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(light, 'rgb(18, 23, 26)');
  await page.waitForSelector('#by-block canvas');
  await page.waitForTimeout(800);
  await page.screenshot({ path: path.join(out, 'dark.png') });
  await page.click('#theme');
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(251, 250, 247)');
}, { colorScheme: 'dark' });

await test('the picture of the README', async (page) => {
  await open(page);
  await page.waitForFunction(() => document.querySelector('#by-bits').dataset.points > 150 && document.querySelector('#by-load').dataset.points > 80);
  await page.waitForTimeout(500);
  await page.screenshot({ path: path.join(out, 'explorer.jpg'), type: 'jpeg', quality: 68, fullPage: true });
}, { viewport: { width: 1360, height: 900 }, deviceScaleFactor: 900 / 1360 });

await test('the folder is small and needs no other host', async () => {
  let bytes = 0;
  for (const name of fs.readdirSync(web)) {
    const text = fs.readFileSync(path.join(web, name));
    bytes += text.length;
    if (/\.(html|css|js)$/.test(name) && !name.startsWith('uPlot')) assert(!/https?:\/\/|sourceMappingURL/.test(text.toString()), `${name} names another host`);
  }
  assert(bytes < 640_000, `${bytes} bytes`);
});

await browser.close();
server.kill();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
