import {
  type ColumnDecoder,
  type CompiledAttribute,
  type CompiledDefinitions,
  type CompiledObject,
  columnNamesFor,
  createDecoder,
  createIndexDecoder,
  type DecodeOptions,
  findSyntax,
} from '../../../src/definitions/index.ts';
import { type FieldDeclaration, type Oid, type Value, valueAt } from '../../../src/index.ts';
import type { ReceivedVarbind } from '../receiving/wire-form.ts';
import { RawValue } from './raw-value.ts';

/** A value in the field of its attribute. */
export interface DecodedField {
  readonly field: string;
  readonly value: Value;
  readonly declaration: FieldDeclaration;
  readonly isLabel: boolean;
}

interface FieldDecoder {
  readonly field: string;
  readonly decoder: ColumnDecoder;
  readonly declaration: FieldDeclaration;
}

/** How instances of an object are decoded, and the labels of those that came before. */
interface Index {
  readonly decode: (instance: string) => Readonly<Record<string, string>>;
  readonly labels: Map<string, Readonly<Record<string, string>>>;
}

const maxKept = 1_000;
const maxKeptEach = 64;
const maxKeptLength = 64;

type Names = Pick<CompiledDefinitions, 'enums' | 'oidNames'>;

/** Decodes varbinds as polls decode values: by the same decoders, with the names of one generation. */
export class VarbindDecoder {
  readonly #names: Names;
  readonly #options: DecodeOptions;
  /** Used again for each value: thousands of typed arrays per second cost more than all else. */
  readonly #raw = new RawValue();
  readonly #gaps = new Uint8Array(1);
  readonly #fields = new WeakMap<CompiledAttribute, readonly FieldDecoder[]>();
  readonly #indexes = new WeakMap<CompiledObject, Index>();
  /** What integers of an attribute were decoded to: there are few, such as states. */
  readonly #known = new Map<CompiledAttribute, Map<number, readonly DecodedField[]>>();

  constructor(names: Names, options: DecodeOptions) {
    this.#names = names;
    this.#options = options;
  }

  /** Empty for a value that does not fit the syntax, one that means that there is none, and one that other columns scale. */
  decode(attribute: CompiledAttribute, varbind: ReceivedVarbind): readonly DecodedField[] {
    const { type, value } = varbind;
    if (type !== 'Integer32' || typeof value !== 'number') return this.#decode(attribute, varbind);
    let known = this.#known.get(attribute);
    if (known === undefined) {
      if (this.#known.size >= maxKept) this.#known.clear();
      known = new Map();
      this.#known.set(attribute, known);
    }
    let fields = known.get(value);
    if (fields === undefined) {
      fields = this.#decode(attribute, varbind);
      if (known.size >= maxKeptEach) known.clear();
      known.set(value, fields);
    }
    return fields;
  }

  #decode(attribute: CompiledAttribute, varbind: ReceivedVarbind): readonly DecodedField[] {
    const raw = this.#raw.hold(varbind);
    if (raw === undefined || attribute.missing?.includes(String(varbind.value))) return [];
    const { scale } = attribute;
    if (scale?.prefix ?? scale?.precision ?? scale?.divisor ?? scale?.times ?? scale?.unit) return [];
    const decoded: DecodedField[] = [];
    for (const { field, decoder, declaration } of this.#fieldsOf(attribute)) {
      const gaps = this.#gaps;
      gaps[0] = 0;
      const column = decoder.decode(raw, gaps);
      if (column === undefined || gaps[0] !== 0) continue;
      let value = valueAt({ field, ...column }, 0);
      if (value === undefined || value === '') continue;
      if (scale !== undefined && typeof value === 'number')
        value = value * scale.factor + (scale.offset ?? 0);
      decoded.push({ field, value, declaration, isLabel: attribute.tag });
    }
    return decoded;
  }

  /** The labels of a row: the parts of its instance. */
  decodeIndex(object: CompiledObject, instance: string): Readonly<Record<string, string>> {
    let index = this.#indexes.get(object);
    if (index === undefined) {
      index = { decode: this.#indexDecoder(object), labels: new Map() };
      this.#indexes.set(object, index);
    }
    let labels = index.labels.get(instance);
    if (labels === undefined) {
      labels = index.decode(instance);
      if (index.labels.size >= maxKept) index.labels.clear();
      if (instance.length <= maxKeptLength) index.labels.set(instance, labels);
    }
    return labels;
  }

  #indexDecoder(object: CompiledObject): Index['decode'] {
    const ofParts = createIndexDecoder(
      object.index,
      ({ syntax, column }) => columnNamesFor(this.#names, syntax, column),
      this.#options,
    );
    return (instance) => {
      const labels: Record<string, string> = {};
      for (const [field, [label]] of Object.entries(ofParts([instance.split('.').map(Number)]).labels))
        if (label !== undefined) labels[field] = label;
      return labels;
    };
  }

  #fieldsOf(attribute: CompiledAttribute): readonly FieldDecoder[] {
    let fields = this.#fields.get(attribute);
    if (fields === undefined) {
      fields = (attribute.sensor === undefined ? attribute.fields : sensorFields(attribute)).flatMap(
        ({ field, syntax: name }) => this.#fieldOf(attribute, field, name),
      );
      this.#fields.set(attribute, fields);
    }
    return fields;
  }

  #fieldOf({ column, unit }: CompiledAttribute, field: string, syntaxName: string): FieldDecoder[] {
    const syntax = findSyntax(syntaxName);
    if (syntax === undefined || syntax.kind === 'none') return [];
    const decoder = createDecoder(
      syntax,
      columnNamesFor(this.#names, syntaxName, column as Oid),
      this.#options,
    );
    const kind =
      decoder.kind === 'number' ? 'gauge' : (decoder.kind as Exclude<typeof decoder.kind, 'number' | 'none'>);
    const ofField = unit ?? decoder.unit;
    return [{ field, decoder, declaration: ofField === undefined ? { kind } : { kind, unit: ofField } }];
  }
}

/** A sensor has no field of its own: its value is that of the record `sensor`. */
function sensorFields({ sensor, syntax }: CompiledAttribute) {
  const isNumber = findSyntax(syntax)?.kind === 'number';
  return sensor === undefined ? [] : [{ field: isNumber ? 'sensor.value' : 'sensor.state.raw', syntax }];
}
