// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// Numbers as people type and read them. The forms that are read are those of the command line (tests/web compares them).

const powers = { k: 1e3, K: 1e3, M: 1e6, G: 1e9, T: 1e12 };
const binary = { Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40 };
const decimal = '(\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE]([+-]?\\d+))?';

/** The number, or NaN for what is none. Neither 0x10 nor Infinity, which JavaScript would take. */
const real = (text) => (new RegExp(`^-?${decimal}$`).test(text) ? Number(text) : NaN);

/** 1000000, 1,000,000, 1e6, 1.5M. Whole in the end. */
export function readCount(text) {
  const plain = /^[1-9]\d{0,2}(,\d{3})+/.test(text) ? text.replace(/,/g, '') : text;
  const suffix = powers[plain.at(-1)];
  const value = suffix ? real(plain.slice(0, -1)) * suffix : real(plain);
  const rounded = Math.round(value);
  return Math.abs(value - rounded) <= 1e-6 ? rounded : NaN;
}
/** 0.001, 1e-6, 0.1%. */
export const readShare = (text) => (text.endsWith('%') ? real(text.slice(0, -1)) / 100 : real(text));
/** 500M, 1.5Gi, 2000000; a B at the end changes nothing. */
export function readBytes(text) {
  const [, number, suffix] = /^([^KMGTBik]*)((?:[KkMGT]i?)?)B?$/.exec(text) ?? [];
  if (number === undefined) return NaN;
  return real(number) * (suffix ? binary[suffix.replace('k', 'K')] ?? powers[suffix] ?? NaN : 1);
}
export const readReal = real;

const trimmed = (text) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
/** Four digits: 1e8, 12.35, 0.001234. */
export function short(value, digits = 4) {
  const rounded = Number(value.toPrecision(digits)); // which says 1.0e+3 itself, where there are few digits
  const size = Math.abs(rounded);
  return size !== 0 && (size >= 1e5 || size < 1e-3) ? rounded.toExponential().replace('+', '') : String(rounded);
}
/** Three digits, of which none is dropped: rates stand below each other. */
export function rate(value) {
  if (value == null) return '-';
  if (!(value > 0)) return '0';
  return value < 1e-3 ? value.toExponential(2).replace('+', '') : value.toPrecision(3);
}
/** The shorter of 0.000001 and 1e-6: every digit. */
export function exact(value) {
  const [plain, power] = [String(value), value.toExponential().replace('+', '')];
  return power.length < plain.length ? power : plain;
}
export function bytes(value) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'];
  let unit = 0;
  for (; value >= 999.95 && unit + 1 < units.length; ++unit) value /= 1000;
  return `${trimmed(value.toPrecision(4))} ${units[unit]}`;
}
export const grouped = (value) => value.toLocaleString('en-US', { maximumFractionDigits: 0 });
