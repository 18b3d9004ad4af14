import { type FieldDeclaration, type Oid, type Value, valueAt } from '../../../src/index.ts';
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
} from '../../../src/internal.ts';
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

type Names = Pick<CompiledDefinitions, 'enums' | 'oidNames'>;

/** Decodes varbinds as polls decode values: by the same decoders, with the names of one generation. */
export class VarbindDecoder {
  readonly #names: Names;
  readonly #options: DecodeOptions;
  /** Used again for each value: thousands of typed arrays per second cost more than all else. */
  readonly #raw = new RawValue();
  readonly #gaps = new Uint8Array(1);
  readonly #fields = new WeakMap<CompiledAttribute, readonly FieldDecoder[]>();
  readonly #indexes = new WeakMap<CompiledObject, (instance: string) => Readonly<Record<string, string>>>();
  /** The varbinds of a notification are mostly of one row. */
  #lastIndex:
    | {
        readonly object: CompiledObject;
        readonly instance: string;
        readonly labels: Readonly<Record<string, string>>;
      }
    | undefined;

  constructor(names: Names, options: DecodeOptions) {
    this.#names = names;
    this.#options = options;
  }

  /** Empty for a value that does not fit the syntax, one that means that there is none, and one that other columns scale. */
  decode(attribute: CompiledAttribute, varbind: ReceivedVarbind): readonly DecodedField[] {
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
    if (this.#lastIndex?.object === object && this.#lastIndex.instance === instance)
      return this.#lastIndex.labels;
    let decode = this.#indexes.get(object);
    if (decode === undefined) {
      const ofParts = createIndexDecoder(
        object.index,
        ({ syntax, column }) => columnNamesFor(this.#names, syntax, column),
        this.#options,
      );
      decode = (text) => {
        const labels: Record<string, string> = {};
        for (const [field, [label]] of Object.entries(ofParts([text.split('.').map(Number)]).labels))
          if (label !== undefined) labels[field] = label;
        return labels;
      };
      this.#indexes.set(object, decode);
    }
    const labels = decode(instance);
    this.#lastIndex = { object, instance, labels };
    return labels;
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
