import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { definitionFolders, findKindOf } from '../../src/model/definitions/schema/definition-folders.ts';
import type { DefinitionKind } from '../../src/model/definitions/schema/definition-kinds.ts';
import type { RawDefinitions, RawObject } from '../../src/model/definitions/schema/raw-definitions.ts';
import { findSyntax } from '../../src/model/definitions/syntax/syntax-table.ts';

const root = fileURLToPath(new URL('../../definitions/', import.meta.url));

export interface ShippedFile {
  readonly path: string;
  /** Undefined for a file that nobody reads. */
  readonly kind: DefinitionKind | undefined;
  readonly entries: Readonly<Record<string, unknown>>;
}

/** Every YAML file below definitions/, in order of its path. */
export function readShippedFiles(): ShippedFile[] {
  return definitionFolders
    .flatMap((folder) => filesBelow(folder).map((path) => ({ folder, path })))
    .map(({ folder, path }) => ({
      path: `${folder}/${path}`,
      kind: findKindOf(folder, path),
      entries: parse(readFileSync(`${root}${folder}/${path}`, 'utf8'), { merge: false }),
    }));
}

/** The entries of a kind, by id. The files are known to match the schemas, by a test of their own. */
export function shipped<Kind extends keyof RawDefinitions>(kind: Kind): RawDefinitions[Kind] {
  const entries = readShippedFiles().flatMap((file) =>
    file.kind === kind ? Object.entries(file.entries) : [],
  );
  return new Map(entries) as unknown as RawDefinitions[Kind];
}

/** The id of the object whose record the object with `id` writes into. */
export function recordOf(objects: ReadonlyMap<string, RawObject>, id: string): string {
  const augmented = objects.get(id)?.augments;
  return augmented === undefined ? id : recordOf(objects, augmented);
}

export interface ShippedField {
  readonly field: string;
  readonly object: string;
  /** Undefined for a part of the index. */
  readonly attribute?: string;
  readonly kind: string;
  readonly metric?: string | undefined;
  readonly unit?: string | undefined;
  /** What this field stands in for, as `object/attribute`. */
  readonly overrides?: string | undefined;
}

/** What an object writes into its record, companions of a syntax included. */
export function fieldsOf(id: string, object: RawObject): ShippedField[] {
  const parts = (object.index ?? []).flatMap(({ name, syntax }) =>
    syntaxFields(name, syntax).map((field) => ({ ...field, object: id })),
  );
  const columns = Object.entries(object.attributes).flatMap(
    ([attribute, { name, syntax, metric, unit, overrides }]) =>
      syntaxFields(name, syntax).map((field, at) => ({
        ...field,
        object: id,
        attribute,
        ...(at === 0 ? { metric, unit } : {}),
        overrides: overrides && `${overrides.object}/${overrides.attribute}`,
      })),
  );
  return [...parts, ...columns];
}

function syntaxFields(name = '', syntaxName = ''): { field: string; kind: string }[] {
  const syntax = findSyntax(syntaxName);
  if (syntax === undefined || syntax.kind === 'none') return [];
  const field = { field: name + syntax.suffix, kind: syntax.kind };
  return syntax.companion === undefined
    ? [field]
    : [field, { field: name + syntax.companion.suffix, kind: 'number' }];
}

function filesBelow(folder: string): string[] {
  return readdirSync(root, { encoding: 'utf8' }).includes(folder)
    ? readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
        .filter((path) => /\.ya?ml$/.test(path))
        .sort()
    : [];
}
