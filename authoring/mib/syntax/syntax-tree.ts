import type { SourceText } from '../source-text.ts';

/** A module as it is written. Nothing is looked up yet. */
export interface ModuleSyntax {
  readonly name: string;
  readonly source: SourceText;
  /** The offset of its name. */
  readonly start: number;
  /** Of its MODULE-IDENTITY, as `YYYYMMDDhhmm`. */
  readonly lastUpdated: string | undefined;
  readonly imports: ReadonlyMap<string, ImportSyntax>;
  readonly definitions: readonly Definition[];
}

export interface ImportSyntax {
  readonly module: string;
  readonly start: number;
}

export type DefinitionForm =
  | 'module-identity'
  | 'node'
  | 'object'
  | 'notification'
  | 'trap'
  | 'group'
  | 'compliance'
  | 'type'
  /** A name in the middle of an OID, such as `acme` of `{ enterprises acme(999) 1 }`. */
  | 'label';

/** One definition. A class, so that the hundred thousands of a large set have one shape in memory. */
export class Definition {
  readonly form: DefinitionForm;
  readonly name: string;
  readonly start: number;
  value: OidSyntax | undefined = undefined;
  syntax: TypeSyntax | undefined = undefined;
  access: string | undefined = undefined;
  status: string | undefined = undefined;
  units: string | undefined = undefined;
  hint: string | undefined = undefined;
  index: readonly string[] | undefined = undefined;
  isImplied = false;
  augments: string | undefined = undefined;
  /** Of a notification or a group. */
  objects: readonly string[] | undefined = undefined;
  lastUpdated: string | undefined = undefined;
  /** The offset of the description's quotation mark; -1 without one. */
  descriptionStart = -1;
  descriptionEnd = -1;

  constructor(form: DefinitionForm, name: string, start: number) {
    this.form = form;
    this.name = name;
    this.start = start;
  }
}

/** A value such as `{ parent 1 2 }`. The trap `ENTERPRISE acme … ::= 5` is `{ acme 0 5 }` (RFC 2576, 3.1). */
export interface OidSyntax {
  /** Undefined where the OID begins with a number. */
  readonly parent: string | undefined;
  /** The number that the parent has in its parentheses: what it means when nobody knows its name, as in `iso(1)`. */
  readonly parentNumber: number | undefined;
  readonly numbers: readonly number[];
}

export type TypeForm = 'named' | 'table' | 'sequence' | 'choice';

export interface TypeSyntax {
  readonly form: TypeForm;
  /** `INTEGER`, `OCTET STRING`, `DisplayString`; of a table, the type of its rows. */
  readonly name: string;
  readonly start: number;
  /** The number of `[APPLICATION n]`, which makes `Counter` another type than `INTEGER`. */
  readonly tag: number | undefined;
  readonly labels: NamedNumbers | undefined;
  readonly ranges: readonly RangeSyntax[] | undefined;
}

/** Of an enumeration or of BITS. */
export interface NamedNumbers {
  readonly names: readonly string[];
  readonly numbers: readonly number[];
}

/** The numbers are bigint where a number would not be exact. */
export interface RangeSyntax {
  readonly min: number | bigint | 'MIN' | 'MAX';
  readonly max: number | bigint | 'MIN' | 'MAX';
}
