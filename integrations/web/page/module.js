// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// The module sluice.wasm: calls its functions and reads what they answer (module/answer.hpp has the form).
//
// An instance that traps is lost: the sentence that it left becomes the error's message, and the next call gets a fresh
// instance. No state of a page may live in an instance alone.

const utf8 = new TextDecoder();

/** What WebAssembly itself lacks and the C library asks for; nothing of it is ever called in earnest. */
const system = new Proxy({}, { get: () => () => 52 /* not supported */ });

/** One value, read from bytes. */
export function readAnswer(buffer, start) {
  const view = new DataView(buffer);
  let at = start;
  const count = () => {
    const n = view.getUint32(at, true);
    at += 4;
    return n;
  };
  const text = () => {
    const n = count();
    at += n;
    return utf8.decode(new Uint8Array(buffer, at - n, n));
  };
  const number = () => {
    at += 8;
    return view.getFloat64(at - 8, true);
  };
  const value = () => {
    const tag = String.fromCharCode(view.getUint8(at++));
    switch (tag) {
      case 'n': return null;
      case 't': return true;
      case 'f': return false;
      case 'd': return number();
      case 's': return text();
      case 'D': return Array.from({ length: count() }, number);
      case '[': {
        const list = [];
        while (view.getUint8(at) !== 93 /* ] */) list.push(value());
        at++;
        return list;
      }
      case '{': {
        const object = {};
        while (view.getUint8(at) !== 125 /* } */) {
          const name = text();
          object[name] = value();
        }
        at++;
        return object;
      }
      default: throw new Error(`the module answered with '${tag}', which is no value`);
    }
  };
  return value();
}

export class Sluice {
  #module;
  #instance = null;

  /** @param {WebAssembly.Module} module compiled once, for any number of instances */
  constructor(module) {
    this.#module = module;
    const request = this.#answer('usual_request');
    this.fields = Object.keys(request);
    this.usual = { ...request, ...this.#answer('usual_growth') };
  }

  #exports() {
    if (!this.#instance) {
      this.#instance = new WebAssembly.Instance(this.#module, { wasi_snapshot_preview1: system });
      this.#instance.exports._initialize?.();
    }
    return this.#instance.exports;
  }

  /** Calls a function that returns a number. */
  #call(name, ...values) {
    const exports = this.#exports();
    try {
      return exports[name](...values);
    } catch (trap) {
      this.#instance = null;
      const bytes = new Uint8Array(exports.memory.buffer, exports.reason());
      const sentence = utf8.decode(bytes.slice(0, bytes.indexOf(0)));
      throw new Error(sentence || `the module failed: ${trap.message}`);
    }
  }

  /** Calls a function that leaves an answer. */
  #answer(name, ...values) {
    this.#call(name, ...values);
    const exports = this.#exports();
    return readAnswer(exports.memory.buffer, exports.answer_at());
  }

  #write(request) {
    const exports = this.#exports();
    const values = new Float64Array(exports.memory.buffer, exports.request_at(), this.fields.length);
    this.fields.forEach((name, i) => { values[i] = Number(request[name] ?? NaN); });
  }
  /** The candidates of a request: an object of the fields' names; what is missing is as usual. */
  plan(request) {
    this.#write(request);
    return this.#answer('plan');
  }
  /** Takes a request that has keys for rateAtBits, without a plan. */
  consider(request) {
    this.#write(request);
    this.#call('consider');
  }
  families() { return this.#call('families'); }
  /** Null where the scheme has no design with so many bits a key. */
  rateAtBits(family, bitsPerKey) { return this.#answer('rate_at_bits', family, bitsPerKey); }
  leastRate(bitsPerKey) { return this.#call('least_rate', bitsPerKey); }
  rateAtLoad(index, load) { return this.#call('rate_at_load', index, load); }
  loadsOf(index, load) { return this.#answer('loads_of', index, load); }
  /** How the command makes a candidate of the last plan: {request, scheme?, memory_bytes?, fpr?, why_not}. */
  wayTo(index) { return this.#answer('way_to_build', index); }
  /** What BF.RESERVE makes of keys and rate; of the scheme of a candidate, if there is one of this number. */
  serverFilter(keys, rate, blockBits, index = -1) { return this.#answer('server_filter', keys, rate, blockBits, index); }
  /** The classic filter of the textbooks for a request; null where there is none. */
  textbook(request) {
    this.#write(request);
    return this.#answer('textbook');
  }
  /** The chain when it holds the keys of the request, at its rate: {links, memory_bytes, fpr, ...}. */
  chain(request, firstKeys, factor) {
    this.#write(request);
    return this.#answer('chain', firstKeys, factor);
  }
  makePicture(which, bitsPerKey) { return this.#answer('picture_make', which, bitsPerKey); }
  insert(count) { return this.#answer('picture_insert', count); }
  lookUp(stored, which) { return this.#answer('picture_look_up', stored ? 1 : 0, which); }
}
