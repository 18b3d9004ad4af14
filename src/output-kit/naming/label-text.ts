import { labelValue } from './name-text.ts';

/** A label in the form of both formats. The name must be valid already. */
export function labelText(name: string, value: string): string {
  return `${name}="${escapeText(labelValue(value))}"`;
}

/** Both formats escape only backslash, quote and line end. HELP must not contain NUL either. */
export function escapeText(text: string): string {
  return special.test(text) ? text.replace(allSpecial, (character) => escapes[character]!) : text;
}

/** HELP of the classic format, in which a quote is not escaped. */
export function escapeHelp(text: string): string {
  return escapeText(text).replaceAll('\\"', '"');
}

const special = /[\\"\n\0]/;
const allSpecial = new RegExp(special, 'g');
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n', '\0': '\uFFFD' };
