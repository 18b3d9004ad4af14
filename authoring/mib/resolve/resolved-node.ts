import type { MibNode, MibNodeKind, MibRange } from '../mib-node.ts';
import type { Definition, NamedNumbers, RangeSyntax } from '../syntax/syntax-tree.ts';
import { isCurlyQuote } from '../syntax/word-marks.ts';
import { type BaseType, limitsOf } from './base-types.ts';
import type { LoadedModule } from './loaded-module.ts';
import type { ResolvedType } from './type-resolver.ts';

/** A node that reads what is rarely asked for, such as its description, from the text of its module. */
export class ResolvedNode implements MibNode {
  readonly kind: MibNodeKind;
  readonly oid: string | undefined;
  readonly #module: LoadedModule;
  readonly #definition: Definition;
  readonly #type: ResolvedType | undefined;

  constructor(
    module: LoadedModule,
    definition: Definition,
    kind: MibNodeKind,
    oid: string | undefined,
    type: ResolvedType | undefined,
  ) {
    this.#module = module;
    this.#definition = definition;
    this.kind = kind;
    this.oid = oid;
    this.#type = type;
  }

  get module(): string {
    return this.#module.name;
  }

  get name(): string {
    return this.#definition.name;
  }

  get type(): BaseType | undefined {
    return this.#type?.base;
  }

  get typeName(): string | undefined {
    return this.#definition.syntax?.name;
  }

  get enums(): Readonly<Record<string, number>> | undefined {
    const labels = this.#type?.labels;
    return labels === undefined ? undefined : enumsOf(labels);
  }

  get ranges(): readonly MibRange[] | undefined {
    const base = this.#type?.base;
    return this.#type?.ranges?.map(({ min, max }) => ({ min: boundOf(min, base), max: boundOf(max, base) }));
  }

  get hint(): string | undefined {
    return this.#type?.hint;
  }

  get units(): string | undefined {
    const { units } = this.#definition;
    return units === undefined ? undefined : removeIndentation(units);
  }

  get access(): string | undefined {
    return this.#definition.access;
  }

  get status(): string | undefined {
    return this.#definition.status;
  }

  get index(): readonly string[] | undefined {
    return this.kind === 'row' ? this.#definition.index : undefined;
  }

  get implied(): boolean | undefined {
    return this.kind === 'row' && this.#definition.isImplied ? true : undefined;
  }

  get augments(): string | undefined {
    return this.kind === 'row' ? this.#definition.augments : undefined;
  }

  get objects(): readonly string[] | undefined {
    return this.#definition.objects;
  }

  get description(): string | undefined {
    const { descriptionStart, descriptionEnd } = this.#definition;
    if (descriptionStart < 0) return undefined;
    const { text } = this.#module.syntax.source;
    const isClosed = descriptionEnd - descriptionStart > 1 && isQuote(text.charCodeAt(descriptionEnd - 1));
    return removeIndentation(
      text.slice(descriptionStart + 1, isClosed ? descriptionEnd - 1 : descriptionEnd),
    ).trim();
  }

  get remarks(): Readonly<Record<string, string>> | undefined {
    const { descriptionEnd, start } = this.#definition;
    if (this.kind !== 'notification') return undefined;
    return readRemarks(this.#module.syntax.source.text, Math.max(descriptionEnd, start));
  }

  locate(): { readonly file: string; readonly line: number; readonly column: number } {
    const { source } = this.#module.syntax;
    return { file: source.path, ...source.locate(this.#definition.start) };
  }

  /** `JSON.stringify` leaves out what is undefined. */
  toJSON(): object {
    const { module, name, oid, kind, type, typeName, enums, ranges, hint, units, access, status } = this;
    const { index, implied, augments, objects, description } = this;
    return {
      module,
      name,
      oid,
      kind,
      type,
      typeName,
      enums,
      ranges,
      hint,
      units,
      access,
      status,
      index,
      implied,
      augments,
      objects,
      description,
    };
  }
}

/** The lines `--#WORD text` between a description and the value of its definition; quotation marks around the text are left out. */
function readRemarks(text: string, start: number): Record<string, string> | undefined {
  const remarks: Record<string, string> = {};
  for (const line of text.slice(start, start + maxRemarks).split(/\r\n?|\n/)) {
    const [, word, value = ''] = /^\s*--\s?#([A-Z]{1,20})\b(.{0,500})/.exec(line) ?? [];
    if (word !== undefined) remarks[word] ??= value.trim().replace(/^"|"$/g, '');
    else if (/::=|^\s*[A-Za-z][\w-]*\s+[A-Z]/.test(line)) break;
  }
  return Object.keys(remarks).length === 0 ? undefined : remarks;
}

/** Characters that are searched for remarks. */
const maxRemarks = 8_000;

/** Thousands of objects may have one type: what is made of its labels is made once. */
const enums = new WeakMap<NamedNumbers, Readonly<Record<string, number>>>();

function enumsOf(labels: NamedNumbers): Readonly<Record<string, number>> {
  let made = enums.get(labels);
  if (made === undefined) {
    made = Object.fromEntries(labels.names.map((name, index) => [name, labels.numbers[index]!]));
    enums.set(labels, made);
  }
  return made;
}

function isQuote(code: number): boolean {
  return code === 0x22 || isCurlyQuote(code);
}

function boundOf(bound: RangeSyntax['min'], base: BaseType | undefined): number | string {
  if (bound === 'MIN') return limitsOf(base)[0];
  if (bound === 'MAX') return limitsOf(base)[1];
  return typeof bound === 'bigint' ? String(bound) : bound;
}

/** Without what all lines but the first have in front of them; two quotation marks are one. */
function removeIndentation(text: string): string {
  if (!/[\r\n"]/.test(text)) return text;
  const lines = text
    .replaceAll('""', '"')
    .split(/\r\n?|\n/)
    .map((line) => line.trimEnd());
  const indents = lines.slice(1).map((line) => line.search(/\S/));
  const least = indents.reduce((a, b) => (b >= 0 && b < a ? b : a), Number.POSITIVE_INFINITY);
  return lines.map((line, index) => (index === 0 ? line : line.slice(least))).join('\n');
}
