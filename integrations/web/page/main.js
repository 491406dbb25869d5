// The page: its state is in the address; every change plans anew in a worker, and what comes back is shown. Nothing here
// computes anything about filters.
import { flags, fromAddress, fromSlider, givens, requestOf, table, toAddress, toSlider, usualState } from './fields.js';
import { commandLines, cppLines } from './making.js';
import { Sluice } from './module.js';
import { bytes, grouped, rate, short } from './numbers.js';
import { Picture } from './picture.js';
import { LoadPlot, RatePlot, colourOf, nameOf } from './plots.js';

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
let plan = null; // {request, candidates} of the last answer
let chosen = 0;

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
    inputs[name] = { show: () => { input.value = state[name]; } };
    continue;
  }
  const input = make('input', { id, type: 'text', inputMode: 'text', autocomplete: 'off', spellcheck: false, placeholder: field.optional ? 'any' : '' });
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
for (const box of document.querySelectorAll('[data-flag]')) box.onchange = () => { state[box.dataset.flag] = box.checked ? '1' : ''; changed(); };

const hints = {
  online: 'Keys are inserted as they come.',
  static: 'All keys are known before the filter is needed: static builds are considered, too.',
  growing: 'A chain of filters, each larger than the one before. Below is what it becomes when it holds this many keys.',
};
function showForm(wrong) {
  for (const [name, input] of Object.entries(inputs)) input.show(wrong[name]);
  for (const name of ['given', 'arrival']) document.querySelector(`[name=${name}][value="${state[name]}"]`).checked = true;
  for (const name of ['keys', 'fpr', 'memory_bytes']) inputs[name].place.hidden = !givens[state.given].includes(name);
  for (const name of flags) document.querySelector(`[data-flag=${name}]`).checked = Boolean(state[name]);
  $('arrival-hint').textContent = hints[state.arrival];
}

// --- planning ------------------------------------------------------------------------------------------------------

let addressTimer = 0;
function changed() {
  const { request, wrong } = requestOf(state);
  showForm(wrong);
  clearTimeout(addressTimer); // browsers refuse more than some hundred changes in half a minute
  addressTimer = setTimeout(() => history.replaceState(null, '', toAddress(state, usual)), 150);
  const [first] = Object.keys(wrong);
  if (first) {
    planner.forget(); // what is on its way no longer counts
    fail(`${table[first].label}: ${wrong[first]}.`);
    return;
  }
  $('answer').classList.add('stale');
  planner.ask({ what: 'plan', request }, ({ answer, error }, newest) => {
    $('answer').classList.toggle('stale', !newest);
    if (answer) show(request, answer, newest);
    else if (newest) fail(`${error.replace(/^plan: /, '').replace(/^./, (c) => c.toUpperCase())}.`);
  });
}

function fail(sentence) {
  plan = null;
  $('answer').classList.remove('stale');
  message(sentence);
  $('best').replaceChildren();
  $('candidates').tBodies[0].replaceChildren();
  for (const id of ['why', 'command', 'cpp']) $(id).textContent = '';
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
  message(all[0].admissible ? '' : `No filter keeps all limits. The nearest is ${nameOf(all[0])}: ${all[0].why.replace(/^Not recommended: /, '')}`);
  showTable();
  showChosen();
  if (!newest) return;
  askLoads();
  askCurves();
  askChain();
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
    row.onclick = (e) => { if (e.target !== radio) radio.click(); };
    return row;
  }));
}
function choose(index) {
  chosen = index;
  state.chosen = index === 0 ? '' : key(plan.candidates[index]);
  history.replaceState(null, '', toAddress(state, usual));
  showChosen();
  askLoads();
}

function showChosen() {
  const c = plan.candidates[chosen];
  const parts = bytes(c.memory_bytes).split(' ');
  const tile = (label, value, unit = '') => make('div', {}, make('div', { className: 'label', textContent: label }),
    make('div', { className: 'value' }, value, make('small', { textContent: unit })));
  $('best').replaceChildren(tile(chosen === 0 && c.admissible ? 'recommended' : 'chosen', nameOf(c)),
    ...(plan.asked.keys === undefined ? [tile('keys', short(c.keys))] : []),
    tile('memory', ...parts), tile('bits a key', c.memory_bits_per_key.toFixed(2)), tile('false positives', rate(c.fpr_exact)),
    tile('lines per hit', c.accesses_hit.toFixed(3)), tile('lines per miss', c.accesses_miss.toFixed(3)), tile('mean cost', c.mean_cost.toFixed(3)));
  $('why').textContent = c.why;
  $('command').textContent = commandLines(plan.asked, sluice.usual, c, chosen, state.arrival);
  $('cpp').textContent = cppLines(plan.asked, sluice.usual, c, chosen, state.arrival);
  byBits.mark(c.memory_bits_per_key, c.fpr_exact, colourOf(c));
  byLoad.mark(1, c.fpr_exact, colourOf(c));
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
    if (loaded) byLoad.add(nameOf(candidates[loaded.index]), colourOf(candidates[loaded.index]), loaded.load, loaded.fpr);
  });
  const c = candidates[chosen];
  byBits.mark(c.memory_bits_per_key, c.fpr_exact, colourOf(c));
  byLoad.mark(1, c.fpr_exact, colourOf(c));
  byLoad.describe(`False positive rate against load: ${nameOf(c)} has ${rate(c.fpr_exact)} at 1 and ${rate(c.fpr_overfull)} at 1.25`);
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

const chainWorker = { it: null };
function askChain() {
  $('chain').hidden = state.arrival !== 'growing';
  if (state.arrival !== 'growing') return;
  const c = plan.candidates[0];
  chainWorker.it ??= new Worked(module);
  chainWorker.it.ask({ what: 'chain', keys: c.keys, fpr: plan.asked.fpr ?? Math.max(1e-9, c.fpr_exact) }, ({ answer, error }) => {
    $('links').tBodies[0].replaceChildren(...(answer ?? []).map((l, i) => make('tr', {},
      ...[i + 1, l.scheme, grouped(l.capacity), grouped(l.keys), rate(l.fpr), bytes(l.bytes)].map((textContent) => make('td', { textContent })))));
    if (error) { $('chain-note').textContent = `${error}.`; return; }
    const total = answer.reduce((sum, l) => sum + l.bytes, 0);
    $('chain-note').textContent = `Together ${bytes(total)}, ${short((8 * total) / c.keys)} bits a key now; at most ${rate(answer.reduce((s, l) => s + l.fpr, 0))} false positives when all links are full.`;
  });
}

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
const rows = () => plan.candidates.map(({ cpp, ...c }) => c);
$('json').onclick = () => plan && save('plan.json', 'application/json', `${JSON.stringify({ request: plan.request, candidates: rows() }, null, 2)}\n`);
$('csv').onclick = () => {
  if (!plan) return;
  const cell = (v) => (v === null ? '' : /[",\n]/.test(String(v)) ? `"${String(v).replaceAll('"', '""')}"` : String(v));
  const names = Object.keys(rows()[0]);
  save('plan.csv', 'text/csv', [names, ...rows().map((r) => names.map((n) => r[n]))].map((r) => r.map(cell).join(',')).join('\r\n') + '\r\n');
};
for (const button of document.querySelectorAll('.copy')) button.onclick = () => copy($(button.dataset.of).textContent, button.dataset.of === 'cpp' ? 'C++ lines' : 'Command line');
$('share').onclick = () => {
  history.replaceState(null, '', toAddress(state, usual));
  copy(location.href, 'Link');
};
$('reset').onclick = () => { state = { ...usual }; changed(); };
addEventListener('hashchange', () => { state = fromAddress(location.hash, usual); changed(); });
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
