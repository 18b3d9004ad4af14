import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RawDefinitions } from '../../src/definitions/schema/raw-definitions.ts';
import { normalizeOid } from '../../src/model/oid.ts';
import { shippedDirectory } from './shipped.ts';

/** What an object was tried on: the name of a recording, or the module of a MIB that it was compared with. */
export interface Evidence {
  /** A digest of OIDs, syntaxes, index and enums: an object that changed needs new evidence. */
  readonly facts: string;
  /** A recorded device. */
  readonly recording?: string;
  /** A recording that was written from the MIB. */
  readonly written?: string;
  readonly mib?: string;
}

export const evidenceDirectory = fileURLToPath(new URL('evidence/', import.meta.url));

/** The evidence of all objects, by id. */
export function readEvidence(): Map<string, Evidence> {
  return new Map(
    readdirSync(evidenceDirectory).flatMap((file) =>
      Object.entries<Evidence>(JSON.parse(readFileSync(join(evidenceDirectory, file), 'utf8'))),
    ),
  );
}

/** The shipped objects by the folder of definitions/objects that has their file, such as `vendor/dell`. */
export function listObjectFolders(): Map<string, string[]> {
  const root = join(shippedDirectory, 'objects');
  const folders = new Map<string, string[]>();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.yml')) continue;
    const folder = relative(root, entry.parentPath);
    const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
    const ids = [...text.matchAll(/^([^\s#:'"]+::[^\s:'"]+):/gm)].map(([, id]) => id!);
    folders.set(folder, [...(folders.get(folder) ?? []), ...ids].sort());
  }
  return new Map([...folders].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A digest of what a recording or a MIB can prove about an object. */
export function digestFacts(raw: RawDefinitions, id: string): string {
  const { index = [], augments, attributes } = raw.objects.get(id)!;
  const enumOf = (oid: string | undefined) => {
    const column = normalizeOid(oid ?? '') ?? '';
    return raw.integerEnums.get(column) ?? raw.bitmapEnums.get(column) ?? null;
  };
  const facts = [
    augments ?? null,
    index.map(({ type, oid, syntax }) => [type, oid ?? null, syntax ?? null, enumOf(oid)]),
    Object.entries(attributes).map(([name, { oid, syntax }]) => [name, oid, syntax, enumOf(oid)]),
  ];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 12);
}
