/** A device may send 64 KiB for a name, and a label is repeated in every series. */
const maxLength = 1024;

/** A label as both formats write it, cut after 1,024 characters. The name is one already. */
export function labelText(name: string, value: string): string {
  return `${name}="${escapeText(value.slice(0, maxLength))}"`;
}

/** Backslash, quote and line end are all that both formats escape; a NUL would end their parsers' input. */
export function escapeText(text: string): string {
  return special.test(text) ? text.replace(allSpecial, (character) => escapes[character]!) : text;
}

const special = /[\\"\n\0]/;
const allSpecial = new RegExp(special, 'g');
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n', '\0': '\uFFFD' };
