export type Attribute = readonly [key: string, value: string | number | readonly string[]];

/** A device may send 64 KiB for a name, and an attribute of a row is repeated in each of its points. */
const maxLength = 1024;

export function cutText(text: string): string {
  return wellFormed(text.length > maxLength ? text.slice(0, maxLength) : text);
}

/** Half a character has no UTF-8, and strict readers of JSON take none. */
export function wellFormed(text: string): string {
  return /\p{Surrogate}/u.test(text) ? Buffer.from(text).toString() : text;
}

/** `name`, or with the first number behind it that makes it new; the answer is added to `taken`. */
export function takeKey(name: string, taken: Set<string>): string {
  const base = name === '' ? 'attribute' : wellFormed(name);
  let free = base;
  for (let number = 2; taken.has(free); number++) free = `${base}.${number}`;
  taken.add(free);
  return free;
}
