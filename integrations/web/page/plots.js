// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The three plots, by uPlot: two of rates on logarithmic scales, which points are added to as they come, and the
// histogram of loads. Hovering tells the numbers at that place.
/* global uPlot */
import { rate, short } from './numbers.js';

const colours = {
  'gated page': '#0f8a93', 'gated table': '#0f8a93', 'gated static': '#6f4fbf', sealed: '#1d1d4f', 'blocked lanes': '#d1495b', 'blocked uniform': '#d1495b',
  'alpha 1+alpha': '#e69f00', 'alpha two-choice': '#b5651d', 'bloom-g page': '#3f7fce', classic: '#7d8790',
  single: '#a3a847', sequential: '#5c9e5c', mht: '#c76bb0', ledger: '#3a5f0b',
};
export const colourOf = ({ scheme, design }) => colours[`${scheme} ${design}`] ?? colours[scheme] ?? '#888888';
export const nameOf = ({ scheme, design }) => (scheme === 'alpha' ? design : scheme === 'gated' && design === 'static' ? 'gated, static' : scheme);
/** Of a candidate among others: two sealed ones have two curves. */
export const seriesOf = (candidate) => (candidate.scheme === 'sealed' ? `sealed, ${candidate.design}` : nameOf(candidate));

const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const axis = (more) => ({ stroke: css('--soft'), grid: { stroke: css('--line'), width: 1 }, ticks: { show: false }, font: '12px system-ui, sans-serif', ...more });
const width = (element) => Math.max(240, element.clientWidth);

/** A box beside the cursor; rows(index) gives [colour, name, text] for each line, title(index) the first. */
function tooltip(title, rows) {
  const tip = document.createElement('div');
  tip.className = 'tip';
  tip.hidden = true;
  return { hooks: {
    init: (u) => {
      u.over.append(tip);
      u.over.addEventListener('mouseleave', () => { tip.hidden = true; });
    },
    setCursor: (u) => {
      const { idx, left, top } = u.cursor;
      const lines = idx == null || left < 0 ? [] : rows(u, idx);
      tip.hidden = lines.length === 0;
      if (tip.hidden) return;
      tip.replaceChildren(Object.assign(document.createElement('b'), { textContent: title(u, idx) }), ...lines.map(([colour, name, text]) => {
        const row = document.createElement('div');
        const dot = Object.assign(document.createElement('span'), { className: 'dot' });
        dot.style.setProperty('--c', colour);
        row.append(dot, Object.assign(document.createElement('span'), { textContent: name }), Object.assign(document.createElement('span'), { textContent: text }));
        return row;
      }));
      const right = left > u.over.clientWidth / 2;
      tip.style.left = right ? '' : `${left + 14}px`;
      tip.style.right = right ? `${u.over.clientWidth - left + 14}px` : '';
      tip.style.top = `${Math.max(0, Math.min(top, u.over.clientHeight - tip.clientHeight))}px`;
    },
  } };
}

/** Rates of several schemes: add(key, x, y) as points come, in any order. */
export class RatePlot {
  #element; #label; #plot = null; #series = new Map(); #waiting = false; #mark = null; #last = null;
  constructor(element, label) {
    this.#element = element;
    this.#label = label;
    new ResizeObserver(() => this.#plot?.setSize({ width: width(element), height: this.#height() })).observe(element);
  }
  #height() { return Math.max(250, Math.min(340, Math.round(width(this.#element) * 0.62))); }
  clear() { this.#series = new Map(); this.#mark = null; this.#element.dataset.points = 0; }
  /** Series that are there from the beginning keep their place in the legend. */
  add(name, colour, x, y) {
    if (!this.#series.has(name)) this.#series.set(name, { colour, points: new Map() });
    this.#series.get(name).points.set(x, y);
    this.draw();
  }
  mark(x, y, colour) { this.#mark = { x, y, colour }; this.draw(); }
  draw() {
    if (this.#waiting) return;
    this.#waiting = true;
    requestAnimationFrame(() => { this.#waiting = false; this.#render(); });
  }
  /** For those who do not see it. */
  describe(text) { this.#element.setAttribute('aria-label', text); }

  #render() {
    const all = [...this.#series];
    const xs = [...new Set(all.flatMap(([, s]) => [...s.points.keys()]))].sort((a, b) => a - b);
    if (xs.length < 2) return;
    const data = [xs, ...all.map(([, s]) => xs.map((x) => s.points.get(x) ?? null))];
    this.#element.dataset.points = all.reduce((sum, [, s]) => sum + s.points.size, 0);
    const shape = JSON.stringify([all.map(([name, s]) => [name, s.colour]), css('--ink')]);
    if (this.#plot && this.#last === shape) { this.#plot.setData(data); return; }
    this.#last = shape;
    this.#plot?.destroy();
    const decade = (v) => Math.round(Math.log10(v) * 1e6) / 1e6;
    const onlyPowers = (u, splits) => splits.map((v) => (v && Number.isInteger(decade(v)) && decade(v) % 2 === 0 ? v : null));
    this.#plot = new uPlot({
      width: width(this.#element), height: this.#height(), legend: { show: false }, cursor: { points: { size: 6 }, drag: { x: false, y: false } },
      scales: { x: { time: false }, y: { distr: 3, range: (u, low, high) => [10 ** Math.floor(Math.log10(Math.max(low ?? 1e-12, 1e-12))), Math.min(1, high ?? 1)] } },
      axes: [axis({ size: 32 }), axis({ size: 52, filter: onlyPowers, grid: { stroke: css('--line'), width: 1, filter: onlyPowers }, values: (u, splits) => splits.map((v) => (v ? short(v, 1) : '')) })],
      series: [{}, ...all.map(([name, s]) => ({ label: name, stroke: s.colour, width: name === 'minimum' ? 1.2 : 1.8,
        dash: name === 'minimum' ? [5, 4] : undefined, spanGaps: true, points: { show: false } }))],
      hooks: { draw: [(u) => this.#drawMark(u)] },
      plugins: [tooltip((u, i) => `${this.#label} ${short(u.data[0][i])}`, (u, i) => u.series.slice(1)
        .map((s, n) => [s.stroke(), s.label, u.data[n + 1][i]]).filter((r) => r[2] != null)
        .sort((a, b) => a[2] - b[2]).map(([c, n, v]) => [c, n, rate(v)]))],
    }, data, this.#element);
  }
  #drawMark(u) {
    if (!this.#mark) return;
    const [x, y] = [u.valToPos(this.#mark.x, 'x', true), u.valToPos(this.#mark.y, 'y', true)];
    if (!(x >= u.bbox.left && x <= u.bbox.left + u.bbox.width && y >= u.bbox.top && y <= u.bbox.top + u.bbox.height)) return;
    u.ctx.beginPath();
    u.ctx.arc(x, y, 4.5 * devicePixelRatio, 0, 2 * Math.PI);
    u.ctx.fillStyle = this.#mark.colour;
    u.ctx.fill();
    u.ctx.lineWidth = 2 * devicePixelRatio;
    u.ctx.strokeStyle = css('--card');
    u.ctx.stroke();
  }
}

/** The share of blocks with every load. */
export class LoadPlot {
  #element; #plot = null;
  constructor(element) {
    this.#element = element;
    new ResizeObserver(() => this.#plot?.setSize({ width: width(element), height: 200 })).observe(element);
  }
  clear(text) {
    this.#plot?.destroy();
    this.#plot = null;
    this.#element.textContent = text;
  }
  show(loads, unit, colour) {
    let last = loads.length - 1;
    while (last > 0 && loads[last] < 1e-5) --last;
    let first = 0;
    while (first < last && loads[first] < 1e-5) ++first;
    const xs = [];
    for (let i = first; i <= last; ++i) xs.push(i);
    const data = [xs, xs.map((i) => loads[i])];
    this.#plot?.destroy();
    this.#element.textContent = '';
    const most = Math.max(...data[1]);
    this.#plot = new uPlot({
      width: width(this.#element), height: 200, legend: { show: false }, cursor: { points: { show: false }, drag: { x: false, y: false } },
      scales: { x: { time: false, range: [first - 0.6, last + 0.6] }, y: { range: [0, most * 1.06] } },
      axes: [axis({ size: 26, label: unit === 'keys' ? 'keys in a block' : 'bits set in a block', labelSize: 16, labelFont: '12px system-ui, sans-serif' }),
        axis({ size: 52, values: (u, splits) => splits.map((v) => `${short(100 * v, 2)}%`) })],
      series: [{}, { stroke: colour, fill: `${colour}66`, width: 1, paths: uPlot.paths.bars({ size: [0.86, 60] }), points: { show: false } }],
      plugins: [tooltip((u, i) => `${u.data[0][i]} ${unit}`, (u, i) => {
        let more = 0;
        for (let j = i; j < u.data[1].length; ++j) more += u.data[1][j];
        return [[colour, 'of the blocks', rate(u.data[1][i])], [colour, 'this or more', rate(more)]];
      })],
    }, data, this.#element);
    const mean = xs.reduce((sum, x, i) => sum + x * data[1][i], 0);
    this.#element.setAttribute('aria-label', `Load histogram: mean ${short(mean)} ${unit} in a block, from ${first} to ${last}`);
  }
}
