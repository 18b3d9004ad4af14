import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { shippedDirectory } from '../../../shipped/shipped.ts';
import type { EnumTable } from './hand-decoding.ts';

export interface RawAttribute {
  readonly oid: string;
  /** Without it, the attribute is a sensor or serves other values. */
  readonly name?: string;
  readonly syntax: string;
  readonly sensor?: object;
  readonly missing?: readonly (number | string)[];
  readonly tag?: boolean;
  /** `prefix` and `precision` are attributes of the same row. */
  readonly scale?: { readonly factor?: number; readonly prefix?: string; readonly precision?: string };
  readonly overrides?: { readonly object: string; readonly attribute: string };
}

export interface RawObject {
  readonly type?: string;
  readonly augments?: string;
  /** A record of the vocabulary. */
  readonly record?: string;
  readonly index?: readonly {
    readonly type: string;
    readonly name?: string;
    readonly syntax?: string;
    readonly oid: string;
  }[];
  readonly discovery_attribute?: string;
  readonly attributes: Readonly<Record<string, RawAttribute>>;
}

/** The shipped files as plain YAML, not read by Waywiser's own code. */
export interface RawDefinitions {
  readonly objects: Readonly<Record<string, RawObject>>;
  readonly objectGroups: readonly string[];
  readonly seconds: Readonly<Record<string, number>>;
  findNames(oid: string): EnumTable;
  readonly oidNames: EnumTable;
}

export function readRawDefinitions(): RawDefinitions {
  const groups = readFolder<{ readonly objects: readonly string[] }>('object_groups');
  const types = readFolder<{ readonly poll_interval: number }>('defaults');
  const enums = { ...readFolder<EnumTable>('enums/integer'), ...readFolder<EnumTable>('enums/bitmap') };
  const oidNames = Object.entries(readFolder<string>('enums/oid'));
  return {
    objects: readFolder<RawObject>('objects'),
    objectGroups: Object.keys(groups),
    seconds: Object.fromEntries(
      Object.entries(types).map(([type, { poll_interval }]) => [type, poll_interval]),
    ),
    findNames: (oid) => enums[oid],
    oidNames: Object.fromEntries(oidNames.map(([oid, name]) => [oid.replace(/^\./, ''), name])),
  };
}

function readFolder<Entry>(folder: string): Record<string, Entry> {
  const path = join(shippedDirectory, folder);
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.yml'),
  );
  const all = files.map((name) => load(readFileSync(join(path, name), 'utf8')) as Record<string, Entry>);
  return Object.assign({}, ...all) as Record<string, Entry>;
}
