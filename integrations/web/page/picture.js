// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The living picture: the 64 blocks of a real filter in the module, as vessels that fill. This file draws and counts
// nothing of its own: loads, gates, blocks read and rates are the module's answers.
import { rate, short } from './numbers.js';

const names = ['blocked', 'two-choice', 'MHT', 'gated'];
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const calm = matchMedia('(prefers-reduced-motion: reduce)');

export class Picture {
  #sluice; #canvas; #counts; #event; #which = 3; #bits = 24; #made; #state; #lit = []; #drops = []; #pouring = 0; #frame = 0; #asked = 0;

  constructor(sluice, { canvas, counts, event }) {
    this.#sluice = sluice;
    this.#canvas = canvas;
    this.#counts = counts;
    this.#event = event;
  }
  get state() { return this.#state; }

  make(which = this.#which, bits = this.#bits) {
    [this.#which, this.#bits] = [which, bits];
    this.#made = this.#sluice.makePicture(which, bits);
    this.#take(this.#made.state);
    [this.#lit, this.#drops] = [[], []];
    this.#say(`An empty page. At ${bits} bits a key it is planned for ${this.#made.capacity} keys.`);
  }
  insert(count) {
    const done = this.#sluice.insert(count);
    if (count === 1 || this.#pouring) {
      for (const block of done.written) this.#drops.push({ block, from: performance.now() });
      if (calm.matches) this.#drops = [];
      this.#lit = [];
    }
    if (count === 1 && !this.#pouring) this.#lit = done.read.map((block, i) => ({ block, second: i > 0 }));
    this.#take(done.state);
    if (count === 1) {
      const read = `The insertion read ${done.read.length === 1 ? 'one line' : `${done.read.length} lines`}`;
      const spilled = this.#made.state.gates && done.written.length > 1 ? ' and spilled the key: it closed a gate and left a trace' : '';
      this.#say(done.was_new ? `${read}${spilled}.` : 'The filter answered for this key already.');
    } else this.#say(`${this.#state.keys} keys of the ${this.#made.capacity} that the page is planned for.`);
  }
  lookUp(stored) {
    const done = this.#sluice.lookUp(stored, this.#asked = (this.#asked * 7919 + 104729) % 1000003);
    this.#lit = done.read.map((block, i) => ({ block, second: i > 0 }));
    const answer = done.found ? (done.stored ? 'Found, as it must be' : 'Found: a false positive') : 'Not found';
    const absent = stored && !done.stored ? ' (nothing is stored yet)' : '';
    this.#say(`${answer}${absent}. The lookup read ${done.read.length === 1 ? 'one line' : `${done.read.length} lines`}: block${done.read.length > 1 ? 's' : ''} ${done.read.map((b) => b + 1).join(', then ')}.`);
    this.draw();
  }
  /** Keys at a steady pace until the page has half as many again as it is planned for. */
  pour(on, stopped) {
    cancelAnimationFrame(this.#pouring);
    this.#pouring = 0;
    if (!on) return;
    const step = () => {
      this.insert(Math.max(1, Math.round(this.#made.capacity / 400)));
      this.#pouring = this.#state.keys < 1.5 * this.#made.capacity ? requestAnimationFrame(step) : 0;
      if (!this.#pouring) stopped();
    };
    this.#pouring = requestAnimationFrame(step);
  }

  #say(text) { this.#event.textContent = text; }
  #take(state) {
    this.#state = state;
    const unit = this.#made.counts_keys ? 'keys' : 'bits';
    const closed = state.gates?.reduce((sum, gates) => sum + gates.toString(2).replaceAll('0', '').length, 0);
    const rows = {
      keys: `${state.keys}, ${short((100 * state.keys) / this.#made.capacity, 3)}% of the plan`,
      'bits a key': state.keys ? short((64 * 512) / state.keys, 3) : '–',
      [`mean load, ${unit}`]: short(state.loads.reduce((a, b) => a + b, 0) / 64, 3),
      [`fullest block, ${unit}`]: String(Math.max(...state.loads)),
      'FPR, from the bits': rate(state.fpr),
      'lines per insertion': state.per_insert === null ? '–' : short(state.per_insert, 4),
      'lines per hit': state.per_hit === null ? '–' : short(state.per_hit, 4),
      'lines per miss': short(state.per_miss, 4),
    };
    if (closed !== undefined) rows['gates closed'] = `${closed} of 512`;
    if (this.#which === 2) rows['keys in the list'] = String(state.overflow);
    this.#counts.replaceChildren(...Object.entries(rows).flatMap(([name, value]) => [
      Object.assign(document.createElement('dt'), { textContent: name }), Object.assign(document.createElement('dd'), { textContent: value })]));
    this.#canvas.setAttribute('aria-label', `${names[this.#which]}: 64 blocks with ${state.keys} keys, loads from ${Math.min(...state.loads)} to ${Math.max(...state.loads)} ${unit}`);
    this.draw();
  }

  draw() {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame((now) => this.#render(now));
  }
  #render(now) {
    const g = this.#canvas.getContext('2d');
    const size = this.#canvas.width;
    const cell = size / 8;
    const pad = 5;
    // A vessel is full at twice the mean load of a planned page, in keys; in bits, when all are set.
    const full = this.#made.counts_keys ? (2 * this.#made.capacity) / 64 : this.#made.usable_bits;
    const heavy = this.#made.counts_keys ? full * 0.62 : full * 0.5;
    g.clearRect(0, 0, size, size);
    this.#state.loads.forEach((load, b) => {
      const x = (b % 8) * cell + pad;
      const y = Math.floor(b / 8) * cell + pad;
      const w = cell - 2 * pad;
      const level = Math.min(1, load / full) * (w - 4);
      g.fillStyle = css('--tint');
      g.fillRect(x, y, w, w);
      g.globalAlpha = 0.55 + 0.45 * Math.min(1, load / heavy);
      g.fillStyle = css(load > heavy ? '--water-full' : '--water');
      g.fillRect(x + 2, y + w - 2 - level, w - 4, level);
      g.globalAlpha = 1;
      if (this.#state.gates) {
        for (let gate = 0; gate < 8; ++gate) {
          const closed = (this.#state.gates[b] >> gate) & 1;
          g.fillStyle = css(closed ? '--ink' : '--line');
          g.fillRect(x + 4 + (gate * (w - 8)) / 8, y + 4, (w - 8) / 8 - 2, closed ? 6 : 3);
        }
      }
      const lit = this.#lit.find(({ block }) => block === b);
      if (lit) {
        g.strokeStyle = css(lit.second ? '--second' : '--ink');
        g.lineWidth = 4;
        g.strokeRect(x - 1, y - 1, w + 2, w + 2);
      }
    });
    g.fillStyle = css('--ink');
    this.#drops = this.#drops.filter(({ block, from }) => {
      const part = (now - from) / 320;
      if (part >= 1) return false;
      const x = (block % 8) * cell + cell / 2;
      const y = Math.floor(block / 8) * cell + pad + (cell - 2 * pad) * part * part;
      g.beginPath();
      g.arc(x, y, 5, 0, 2 * Math.PI);
      g.fill();
      return true;
    });
    if (this.#drops.length) this.draw();
  }
}
