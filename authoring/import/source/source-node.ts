import type { PositionNode } from '../../../src/definitions/index.ts';
import { LineIndex } from '../../../src/definitions/yaml/line-index.ts';

/** A file that is imported. */
export class SourceFile {
  readonly name: string;
  readonly root: SourceNode;
  readonly #lines: LineIndex;

  constructor(name: string, text: string, value: unknown, places: PositionNode) {
    this.name = name;
    this.#lines = new LineIndex(text);
    this.root = new SourceNode(this, value, places, 0);
  }

  placeAt(offset: number): Place {
    return { file: this.name, ...this.#lines.at(offset) };
  }
}

export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A value of a file, and where it is. Reading never throws: what has another type is not there. */
export class SourceNode {
  readonly file: SourceFile;
  readonly value: unknown;
  readonly #places: PositionNode | undefined;
  /** Of the value around it, for what has no place of its own, such as the content of an alias. */
  readonly #outer: number;

  constructor(file: SourceFile, value: unknown, places: PositionNode | undefined, outer: number) {
    this.file = file;
    this.value = value;
    this.#places = places;
    this.#outer = outer;
  }

  /** The place of the key that holds this value, else of the value. */
  get place(): Place {
    return this.file.placeAt(this.#offset);
  }

  get #offset(): number {
    const { keyOffset = -1, offset = -1 } = this.#places ?? {};
    return keyOffset >= 0 ? keyOffset : offset >= 0 ? offset : this.#outer;
  }

  /** What a map has under `key`; undefined when it has none or null. */
  get(key: string): SourceNode | undefined {
    if (!isMap(this.value) || !Object.hasOwn(this.value, key)) return undefined;
    const value = this.value[key];
    return value === null || value === undefined ? undefined : this.#child(key, value);
  }

  /** The pairs of a map; none for anything else. */
  entries(): [key: string, value: SourceNode][] {
    if (!isMap(this.value)) return [];
    return Object.entries(this.value).map(([key, value]) => [key, this.#child(key, value)]);
  }

  /** The members of a list; a single value counts as a list of one. */
  items(): SourceNode[] {
    if (this.value === null || this.value === undefined) return [];
    if (!Array.isArray(this.value)) return [this];
    return this.value.map((value, position) => this.#child(String(position), value));
  }

  /** A scalar as it is spelled: 1.10 stays 1.10. */
  get text(): string | undefined {
    const { value } = this;
    if (typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'boolean')
      return this.#places?.spelling ?? String(value);
    return undefined;
  }

  get number(): number | undefined {
    const { text } = this;
    if (text === undefined || text.trim() === '') return undefined;
    const number = Number(text);
    return Number.isFinite(number) ? number : undefined;
  }

  get isMap(): boolean {
    return isMap(this.value);
  }

  #child(key: string, value: unknown): SourceNode {
    return new SourceNode(this.file, value, this.#places?.children.get(key), this.#offset);
  }
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
