/** Whether a number is written as an integer; others are doubles. */
export function isIntegerValue(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** A device may send 64 KiB for a name, and an attribute of a row is repeated in each of its points. */
const maxLength = 1024;

export function cutText(text: string): string {
  return wellFormed(text.length > maxLength ? text.slice(0, maxLength) : text);
}

/** A lone surrogate has no UTF-8 form, and strict JSON readers refuse it. */
export function wellFormed(text: string): string {
  return /\p{Surrogate}/u.test(text) ? Buffer.from(text).toString() : text;
}

/** Returns `name`, with a number appended if it is taken, and adds the result to `taken`. */
export function takeKey(name: string, taken: Set<string>): string {
  const base = name === '' ? 'attribute' : wellFormed(name);
  let free = base;
  for (let number = 2; taken.has(free); number++) free = `${base}.${number}`;
  taken.add(free);
  return free;
}
