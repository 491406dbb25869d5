// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The page: its state is in the address; every change plans anew in a worker, and what comes back is shown. Nothing here
// computes anything about filters.
import { counts, flagCounts, flags, forms, fromAddress, fromSlider, requestOf, table, toAddress, toSlider, usualState } from './fields.js';
import { linesOf } from './making.js';
import { Sluice } from './module.js';
import { bytes, grouped, rate, short } from './numbers.js';
import { Picture } from './picture.js';
import { LoadPlot, RatePlot, colourOf, nameOf, seriesOf } from './plots.js';

const $ = (id) => document.getElementById(id);
const make = (tag, properties, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

// --- workers -------------------------------------------------------------------------------------------------------

class Worked {
  #worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
  #task = 0; #waiting = new Map();
  constructor(module) {
    this.#worker.postMessage({ module });
    this.#worker.onmessage = ({ data }) => this.#told(data);
  }
  /** The newest call of its kind counts, and none from before a plan; what is in hand is left. A plan that was in hand is
   *  told all the same, as one that is not the newest: who drags a slider sees something. */
  ask(asked, then) {
    const plans = asked.what === 'plan';
    for (const [task, { what }] of this.#waiting) {
      if (plans ? what !== 'plan' : what === asked.what) this.#waiting.delete(task);
    }
    this.#waiting.set(++this.#task, { what: asked.what, then });
    this.#worker.postMessage({ task: this.#task, ...asked });
  }
  forget() { this.#waiting.clear(); }
  #told(data) {
    const { what, then } = this.#waiting.get(data.task) ?? {};
    if (!then) return;
    const same = [...this.#waiting].filter(([, other]) => other.what === what).map(([task]) => task);
    for (const task of same) if (task < data.task) this.#waiting.delete(task);
    then(data, data.task === same.at(-1));
  }
}

const module = await WebAssembly.compileStreaming(fetch(new URL('sluice.wasm', import.meta.url)));
const sluice = new Sluice(module);
const [planner, curves] = [new Worked(module), new Worked(module)];
const usual = usualState(sluice.usual);
let state = fromAddress(location.hash, usual);
let plan = null; // {asked, request, candidates, textbook} of the last answer
let chosen = 0;
let grown = null; // {asked, growth, ...} of the last chain
let lines = null; // of the chosen filter, or of the chain, by form
const growing = () => state.arrival === 'growing';

// --- the form ------------------------------------------------------------------------------------------------------

const inputs = {};
for (const [name, field] of Object.entries(table)) {
  const place = document.querySelector(`[data-field=${name}]`);
  const id = `in-${name}`;
  const label = make('label', { textContent: field.label, htmlFor: id });
  const set = (value) => { state[name] = value; changed(); };
  if (field.choices) {
    const input = make('select', { id }, ...field.choices.map((c) => make('option', { value: c, textContent: c })));
    input.onchange = () => set(input.value);
    place.append(make('div', { className: 'top' }, label, input));
    inputs[name] = { place, show: () => { input.value = state[name]; } };
    continue;
  }
  const input = make('input', { id, type: 'text', inputMode: 'text', autocomplete: 'off', spellcheck: false, placeholder: field.optional ? field.unsaid ?? 'any' : '' });
  const wrong = make('div', { className: 'wrong', id: `${id}-wrong` });
  input.setAttribute('aria-describedby', wrong.id);
  place.append(make('div', { className: 'top' }, label, input));
  let slider = null;
  if (field.scale) {
    slider = make('input', { type: 'range', min: field.scale === 'log' ? 0 : field.min, max: field.scale === 'log' ? 1000 : field.max, step: field.step ?? 1 });
    slider.setAttribute('aria-label', `${field.label}, slider`);
    slider.oninput = () => { set(fromSlider(field, slider.value)); };
    place.append(slider);
  }
  place.append(wrong);
  input.oninput = () => set(input.value);
  inputs[name] = {
    place, input, slider,
    show(sentence) {
      if (input.value !== state[name]) input.value = state[name];
      input.setAttribute('aria-invalid', Boolean(sentence));
      wrong.textContent = sentence ?? '';
      const value = field.read(state[name].trim());
      if (slider && Number.isFinite(value) && value > 0 | field.min === 0 && document.activeElement !== slider) slider.value = toSlider(field, value);
      slider?.setAttribute('aria-valuetext', state[name]);
    },
  };
}
for (const name of ['given', 'arrival']) {
  for (const radio of document.querySelectorAll(`[name=${name}]`)) radio.onchange = () => { state[name] = radio.value; changed(); };
}
for (const radio of document.querySelectorAll('[name=lines]')) radio.onchange = () => { state.lines = radio.value; remember(); showLines(); };
for (const box of document.querySelectorAll('[data-flag]')) box.onchange = () => { state[box.dataset.flag] = box.checked ? '1' : ''; changed(); };

const hints = {
  online: 'Keys are inserted as they come.',
  static: 'All keys are known before the filter is needed: static builds are considered, too.',
  growing: 'A chain of filters, each larger than the one before. Shown is what it is when it holds this many keys. It keeps the rate, and no other limits.',
  erased: 'A chain of ledgers, each larger than the one before. Shown is what it is when it holds this many keys. It keeps the rate up to its eighth link, and no other limits.',
};
function showForm(wrong) {
  for (const [name, input] of Object.entries(inputs)) input.show(wrong[name]);
  for (const name of ['given', 'arrival', 'lines']) document.querySelector(`[name=${name}][value="${state[name]}"]`).checked = true;
  for (const name of Object.keys(inputs)) inputs[name].place.hidden = !counts(name, state);
  for (const id of ['given', 'checks']) $(id).hidden = growing();
  for (const name of flags) document.querySelector(`[data-flag=${name}]`).checked = Boolean(state[name]);
  $('erased').hidden = !flagCounts('erase', state);
  $('arrival-hint').textContent = hints[growing() && state.erase ? 'erased' : state.arrival];
}

// --- planning ------------------------------------------------------------------------------------------------------

let addressTimer = 0;
const remember = () => history.replaceState(null, '', toAddress(state, usual));
let waiting = new Set(); // for what: as long as there is something, the numbers that are shown are old
const chains = new Worked(module);

function changed() {
  const { request, growth, wrong } = requestOf(state);
  showForm(wrong);
  clearTimeout(addressTimer); // browsers refuse more than some hundred changes in half a minute
  addressTimer = setTimeout(remember, 150);
  const [first] = Object.keys(wrong);
  chains.forget();
  if (first) {
    planner.forget(); // what is on its way no longer counts
    fail(`${table[first].label}: ${wrong[first]}.`);
    return;
  }
  waitFor(growing() ? ['plan', 'chain'] : ['plan']);
  planner.ask({ what: 'plan', request }, ({ answer, error }, newest) => {
    if (newest) arrived('plan');
    if (answer) show(request, answer, newest);
    else if (newest) fail(sentenceOf(error));
  });
  if (!growing()) return;
  chains.ask({ what: 'chain', request, ...growth }, ({ answer, error }) => {
    arrived('chain');
    grown = { asked: request, growth, error, ...answer };
    showGrown();
  });
}
const sentenceOf = (error) => `${error.replace(/^(plan|growing filter): /, '').replace(/^./, (c) => c.toUpperCase())}.`;

function showWaiting() {
  $('answer').classList.toggle('stale', waiting.size > 0);
  $('answer').setAttribute('aria-busy', waiting.size > 0);
}
function waitFor(some) { waiting = new Set(some); showWaiting(); }
function arrived(one) { waiting.delete(one); showWaiting(); }

function fail(sentence) {
  [plan, grown, lines] = [null, null, null];
  waitFor([]);
  message(sentence);
  for (const element of [$('best'), $('letters'), $('candidates').tBodies[0]]) element.replaceChildren();
  for (const id of ['why', 'textbook']) $(id).textContent = '';
  showLines();
  $('chain').hidden = true;
}
function message(sentence) {
  $('message').hidden = !sentence;
  $('message').textContent = sentence;
}

/** A plan; with what is told about it, if no other is on its way. */
function show(request, answer, newest) {
  plan = { asked: request, ...answer };
  const all = plan.candidates;
  const kept = all.findIndex((c) => key(c) === state.chosen);
  chosen = Math.max(0, kept);
  showOrder();
  showTable();
  showChosen();
  if (growing()) showGrown();
  if (!newest) return;
  if (!growing() && chosen > 0) askWay();
  askLoads();
  askCurves();
}
/** What is about the chain comes before what is about single filters. */
function showOrder() {
  const [first, second] = growing() ? [$('make'), $('plan')] : [$('plan'), $('make')];
  if (first.nextElementSibling !== second) $('curves').before(first, second);
  $('candidates-title').textContent = growing() ? 'One filter in place of the chain' : 'Candidates';
  $('curves-title').textContent = growing() ? 'Curves of single filters' : 'Curves';
  $('candidates-of').hidden = !growing();
  $('chain').hidden = !growing();
}
const key = (c) => `${c.scheme} ${c.design}`;

function showTable() {
  $('candidates').tBodies[0].replaceChildren(...plan.candidates.map((c, i) => {
    const radio = make('input', { type: 'radio', name: 'chosen', value: i, checked: i === chosen });
    radio.onchange = () => choose(i);
    const dot = make('span', { className: 'dot' });
    dot.style.setProperty('--c', colourOf(c));
    const label = make('label', {}, radio, dot, make('span', {}, nameOf(c), ' ', make('span', { className: 'design', textContent: c.scheme === 'alpha' ? '' : c.design })));
    const row = make('tr', { className: c.admissible ? '' : 'broken' }, make('td', {}, label),
      ...[c.memory_bits_per_key.toFixed(2), bytes(c.memory_bytes), rate(c.fpr_exact), c.accesses_hit.toFixed(3), c.accesses_miss.toFixed(3),
        c.mean_cost.toFixed(3), c.time.toFixed(2), rate(c.fpr_overfull)].map((textContent) => make('td', { textContent })));
    labelled($('candidates'), row);
    row.onclick = (e) => { if (e.target !== radio) radio.click(); };
    return row;
  }));
}
/** On a narrow page every cell stands below the name of its column. */
function labelled(table, row) {
  row.role = 'row';
  [...row.cells].forEach((cell, i) => {
    cell.role = 'cell';
    cell.dataset.label = table.tHead.rows[0].cells[i].textContent;
  });
}
function choose(index) {
  chosen = index;
  state.chosen = index === 0 ? '' : key(plan.candidates[index]);
  remember();
  showChosen();
  if (!growing() && index > 0) askWay();
  askLoads();
}

const tile = (label, value, unit = '') => make('div', {}, make('div', { className: 'label', textContent: label }),
  make('div', { className: 'value' }, value, make('small', { textContent: unit })));
const letter = (name, what, value) => make('div', {}, make('dt', {}, make('var', { textContent: name }), ` ${what}`), make('dd', { textContent: value }));

function showChosen() {
  const c = plan.candidates[chosen];
  $('why').textContent = c.why;
  $('second-cost').textContent = short(plan.request.second_line_cost);
  byBits.mark(c.memory_bits_per_key, c.fpr_exact, colourOf(c));
  byLoad.mark(1, c.fpr_exact, colourOf(c));
  if (growing()) return; // whose answer is the chain
  message(plan.candidates[0].admissible ? '' : `No filter keeps all limits. The nearest is ${nameOf(plan.candidates[0])}: ${plan.candidates[0].why.replace(/^Not recommended: /, '')}`);
  $('best').replaceChildren(tile(chosen === 0 && c.admissible ? 'recommended' : 'chosen', nameOf(c)),
    ...(plan.asked.keys === undefined ? [tile('keys', short(c.keys))] : []),
    tile('memory', ...bytes(c.memory_bytes).split(' ')), tile('bits a key', c.memory_bits_per_key.toFixed(2)), tile('false positives', rate(c.fpr_exact)),
    tile('lines per hit', c.accesses_hit.toFixed(3)), tile('lines per miss', c.accesses_miss.toFixed(3)), tile('mean cost', c.mean_cost.toFixed(3)));
  showLetters(c.keys, c.bits, [c]);
  showTextbook();
  if (chosen === 0) showMade({ server: plan.server, way: plan.way });
}
/** What stands in the place of k where a filter keeps fingerprints. */
const bitsFor = { sealed: ['r', 'bits of a fingerprint', 'fingerprint_bits'], ledger: ['rho', 'bits of a remainder', 'remainder_bits'] };
/** n, m and k, as every calculator has them. */
function showLetters(n, m, some) {
  const k = some.map((c) => (c.second_hashes ? `${c.hashes} (of a spilled key ${c.trace} + ${c.second_hashes})` : c.hashes));
  const [sign, what, field] = bitsFor[some[0].scheme] ?? [];
  const last = field ? letter(sign, `${what}, in place of positions`, String(some[0][field]))
    : letter('k', some.length > 1 ? 'positions a key, by link' : 'positions a key', some.length > 1 ? some.map((c) => c.hashes).join(', ') : String(k[0]));
  $('letters').replaceChildren(letter('n', 'keys', grouped(n)), letter('m', 'bits', grouped(m)), last);
}
function showTextbook() {
  const t = plan.textbook;
  if (!t) { $('textbook').textContent = ''; return; }
  const [keys, wrong] = [plan.asked.keys === undefined ? `${short(t.keys)} keys, ` : '', plan.asked.fpr === undefined ? `${rate(t.fpr)} false positives, ` : ''];
  $('textbook').textContent = `The textbook's Bloom filter ${growing() ? 'for as many keys, if their number were known' : 'for this'}: ${keys}${wrong}${bytes(t.bits / 8)}, ${short(t.bits_per_key)} bits a key, k = ${t.hashes}; `
    + `a hit reads ${t.accesses_hit.toFixed(0)} lines, a miss ${t.accesses_miss.toFixed(2)}.`;
}

// --- lines that make it --------------------------------------------------------------------------------------------

function askWay() {
  const index = chosen;
  waiting.add('way');
  showWaiting();
  planner.ask({ what: 'way', request: plan.asked, index }, ({ answer, error }) => {
    arrived('way');
    if (index !== chosen) return; // another row has been chosen, whose way is known
    showMade(answer ?? { server: null, way: { request: plan.request, why_not: sentenceOf(error) } });
  });
}
function showMade({ server, way }) {
  const candidate = plan.candidates[chosen];
  const once = plan.candidates.filter((c) => c.scheme === candidate.scheme).length === 1;
  lines = linesOf({ request: plan.asked, described: plan.request, candidate, index: chosen, once, way, server }, sluice.usual);
  showLines();
}
function showLines() {
  for (const form of forms) $(form).textContent = lines?.[form].text ?? '';
  for (const code of document.querySelectorAll('.code')) code.hidden = code.dataset.form !== state.lines || $(state.lines).textContent === '';
  $('copy').hidden = $(state.lines).textContent === '';
  $('lines-note').textContent = lines?.[state.lines].note ?? '';
}

const between = ({ best, mean, worst }) => `${best.toFixed(0)} to ${worst.toFixed(0)} (${mean.toFixed(0)} on average)`;

/** The chain, once there is one for what is asked. */
function showGrown() {
  if (!grown || waiting.has('chain') || !growing()) return;
  message(grown.error ? sentenceOf(grown.error) : '');
  $('chain').hidden = Boolean(grown.error);
  if (grown.error) {
    for (const id of ['best', 'letters']) $(id).replaceChildren();
    lines = null;
  } else {
    const { links } = grown;
    $('best').replaceChildren(tile('a chain of', `${links.length} ${links.length === 1 ? 'link' : 'links'}`),
      tile('memory', ...bytes(grown.memory_bytes).split(' ')), tile('bits a key', grown.memory_bits_per_key.toFixed(2)), tile('false positives', rate(grown.fpr)),
      tile('lines per hit', grown.accesses_hit.toFixed(3)), tile('lines per miss', grown.accesses_miss.toFixed(3)), tile('mean cost', grown.mean_cost.toFixed(3)));
    showLetters(grown.keys, 8 * grown.memory_bytes, links);
    $('links').tBodies[0].replaceChildren(...links.map((l, i) => {
      const row = make('tr', {}, ...[i + 1, nameOf(l), grouped(l.capacity), grouped(l.keys), l.hashes ?? '-', rate(l.fpr), l.accesses_miss.toFixed(3), bytes(l.memory_bytes)]
        .map((textContent) => make('td', { textContent })));
      labelled($('links'), row);
      return row;
    }));
    $('chain-note').textContent = `A lookup begins with the last link and ends at the first that answers: an absent key reads lines of all ${links.length}. `
      + `When they are full, at most ${rate(grown.fpr_full)} false positives. A link takes all its memory at once: on the way here, ${between(grown.bits_in_memory)} bits a key in memory, `
      + `${between(grown.bits_in_file)} in a file${grown.asked.erase ? '' : ', where the last link is folded'}.`;
    lines = linesOf({ chain: { fpr: grown.asked.fpr, block_bits: grown.asked.block_bits ?? sluice.usual.block_bits, erase: grown.asked.erase, ...grown.growth }, server: grown.server }, sluice.usual);
  }
  if (plan) showTextbook();
  showLines();
}

// --- curves --------------------------------------------------------------------------------------------------------

const byBits = new RatePlot($('by-bits'), 'bits a key');
const byLoad = new RatePlot($('by-load'), 'load');
const byBlock = new LoadPlot($('by-block'));
const bitPoints = [8, 64, 32, 16, 24, 48, 12, 20, 40, 56, 28, 36, 10, 14, 18, 44, 52];
const loadPoints = [0.25, 2, 1, 1.5, 0.5, 1.25, 0.75, 1.75, 1.1, 0.9];
let bitsOf = ''; // the request that the curve by bits was drawn for, as far as it matters there

function askCurves() {
  const { candidates, asked } = plan;
  const { block_bits, static: known, by, mergeable, shards } = asked;
  const keys = asked.keys ?? Number(short(candidates[0].keys, 3));
  const about = JSON.stringify([keys, block_bits, known, by, mergeable, shards]);
  if (about !== bitsOf) {
    bitsOf = about;
    byBits.clear();
    curves.ask({ what: 'byBits', request: { ...asked, keys }, at: bitPoints }, ({ point, least }) => {
      if (point) byBits.add(nameOf(point), colourOf(point), point.at, point.fpr);
      if (least) byBits.add('minimum', getComputedStyle(document.documentElement).getPropertyValue('--ink').trim(), least.at, least.fpr);
    });
  }
  byLoad.clear();
  $('legend').replaceChildren(...candidates.map((c) => {
    const dot = make('span', { className: 'dot' });
    dot.style.setProperty('--c', colourOf(c));
    return make('li', {}, dot, nameOf(c));
  }));
  planner.ask({ what: 'byLoad', request: asked, at: loadPoints, candidates: candidates.length }, ({ loaded }) => {
    if (loaded) byLoad.add(seriesOf(candidates[loaded.index]), colourOf(candidates[loaded.index]), loaded.load, loaded.fpr);
  });
  const c = candidates[chosen];
  byBits.mark(c.memory_bits_per_key, c.fpr_exact, colourOf(c));
  byLoad.mark(1, c.fpr_exact, colourOf(c));
  byLoad.describe(`False positive rate against load: ${nameOf(c)} has ${rate(c.fpr_exact)} at 1${c.fpr_overfull == null ? ', and takes no more keys' : ` and ${rate(c.fpr_overfull)} at 1.25`}`);
  byBits.describe(`False positive rate against bits a key: ${nameOf(c)} has ${rate(c.fpr_exact)} at ${short(c.memory_bits_per_key)}`);
}

function askLoads() {
  const c = plan.candidates[chosen];
  const load = Number($('load').value);
  $('load-value').textContent = load.toFixed(2);
  $('loads-of').textContent = nameOf(c);
  planner.ask({ what: 'loads', request: plan.asked, index: chosen, load }, ({ answer, error }) => {
    if (error) byBlock.clear(`${error}.`);
    else if (answer.loads.length === 0) byBlock.clear(c.static ? 'Static builds are simulated, not modelled: there is no law of their loads.' : 'One array, no blocks.');
    else byBlock.show(answer.loads, answer.unit, colourOf(c));
  });
}
$('load').oninput = () => { if (plan) askLoads(); };

// --- export, copy, theme -------------------------------------------------------------------------------------------

function toast(text) {
  $('toast').textContent = text;
  $('toast').classList.add('shown');
  setTimeout(() => $('toast').classList.remove('shown'), 1800);
}
async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied`);
  } catch {
    toast('The browser does not allow copying here');
  }
}
function save(name, type, text) {
  const link = make('a', { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
const rows = () => plan.candidates.map(({ cpp, bits, ...c }) => c);
$('json').onclick = () => plan && save('plan.json', 'application/json', `${JSON.stringify({ request: plan.request, candidates: rows() }, null, 2)}\n`);
$('csv').onclick = () => {
  if (!plan) return;
  const cell = (v) => (v === null ? '' : /[",\n]/.test(String(v)) ? `"${String(v).replaceAll('"', '""')}"` : String(v));
  const names = Object.keys(rows()[0]);
  save('plan.csv', 'text/csv', [names, ...rows().map((r) => names.map((n) => r[n]))].map((r) => r.map(cell).join(',')).join('\r\n') + '\r\n');
};
const formNames = { command: 'Command line', cpp: 'C++ lines', python: 'Python lines', c: 'C lines', redis: 'Redis commands' };
$('copy').onclick = () => copy($(state.lines).textContent, formNames[state.lines]);
$('share').onclick = () => {
  remember();
  copy(location.href, 'Link');
};
$('reset').onclick = () => { state = { ...usual }; changed(); };
addEventListener('hashchange', () => {
  if (location.hash && !location.hash.includes('=')) return; // the name of a place on the page, and no request
  state = fromAddress(location.hash, usual);
  changed();
});
document.querySelector('.skip').onclick = (e) => { // by its address it would take the place of the request there
  e.preventDefault();
  $('answer').focus();
};
function redrawn() {
  bitsOf = '';
  if (plan) { askCurves(); askLoads(); }
  picture.draw();
}
$('theme').onclick = () => {
  const dark = (document.documentElement.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
  document.documentElement.dataset.theme = dark ? 'light' : 'dark';
  redrawn();
};
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redrawn);

// --- the picture ---------------------------------------------------------------------------------------------------

const picture = new Picture(new Sluice(module), { canvas: $('blocks'), counts: $('counts'), event: $('event') });
const pour = (on) => {
  $('pour').setAttribute('aria-pressed', on);
  picture.pour(on, () => $('pour').setAttribute('aria-pressed', false));
};
const remake = () => {
  pour(false);
  $('picture-bits-value').textContent = $('picture-bits').value;
  picture.make(Number(document.querySelector('[name=picture]:checked').value), Number($('picture-bits').value));
};
for (const radio of document.querySelectorAll('[name=picture]')) radio.onchange = remake;
$('picture-bits').oninput = remake;
$('empty').onclick = remake;
$('pour').onclick = () => pour($('pour').getAttribute('aria-pressed') !== 'true');
for (const button of document.querySelectorAll('[data-insert]')) button.onclick = () => { pour(false); picture.insert(Number(button.dataset.insert)); };
for (const button of document.querySelectorAll('[data-lookup]')) button.onclick = () => { pour(false); picture.lookUp(button.dataset.lookup === 'stored'); };

remake();
picture.insert(1100);
changed();
document.documentElement.dataset.ready = 'yes';
