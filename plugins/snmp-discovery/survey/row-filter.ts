import type { CompiledObject, RowCondition } from '../../../src/definitions/index.ts';
import type { Varbind } from '../../../src/snmp/index.ts';

/** Decides by one condition which rows of a table belong to an object. It remembers as few rows as it must. */
export class RowFilter {
  readonly object: CompiledObject;
  readonly #condition: RowCondition;
  /** With `only`, the rows that belong to the object, else those that do not. */
  readonly #noted = new Set<string>();

  constructor(object: CompiledObject, condition: RowCondition) {
    this.object = object;
    this.#condition = condition;
  }

  note(instance: string, { value }: Varbind): void {
    const isNoted = this.#condition.only !== undefined;
    if (fits(this.#condition, value) === isNoted) this.#noted.add(instance);
  }

  /** A row without a value belongs to the object unless the condition asks for one. */
  has(instance: string): boolean {
    return this.#noted.has(instance) === (this.#condition.only !== undefined);
  }
}

/** Whether a row belongs to an object by one condition; `value` is undefined where the device has none. */
export function fits({ only, except }: RowCondition, value: unknown): boolean {
  if (value === undefined) return only === undefined;
  const text = String(value);
  const isLike = (wanted: string) => matches(text, wanted);
  return (only === undefined || only.some(isLike)) && !except.some(isLike);
}

/** Whether a text is the wanted one, in which * stands for any text. It takes no longer than the text, whatever a device sends. */
function matches(text: string, wanted: string): boolean {
  if (!wanted.includes('*')) return text === wanted;
  const parts = wanted.split('*');
  const last = parts.pop()!;
  const first = parts.shift()!;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
    return false;
  let from = first.length;
  for (const part of parts) {
    const at = text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return from <= text.length - last.length;
}
