import { labelValue } from '../../../../src/output-kit/index.ts';

/** A label as both formats write it. The name is one already. */
export function labelText(name: string, value: string): string {
  return `${name}="${escapeText(labelValue(value))}"`;
}

/** Backslash, quote and line end are all that both formats escape; HELP must have no NUL either. */
export function escapeText(text: string): string {
  return special.test(text) ? text.replace(allSpecial, (character) => escapes[character]!) : text;
}

const special = /[\\"\n\0]/;
const allSpecial = new RegExp(special, 'g');
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n', '\0': '\uFFFD' };
