import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { createIndexDecoder } from '../../src/definitions/index/index-decoder.ts';
import type { RawDefinitions } from '../../src/definitions/schema/raw-definitions.ts';
import { type ColumnNames, createDecoder } from '../../src/definitions/syntax/decode/column-decoder.ts';
import { findSyntax } from '../../src/definitions/syntax/syntax-table.ts';
import { gapCode } from '../../src/model/gap.ts';
import { type RecordedColumn, readRecordedColumns } from '../../test/shipped/recorded-columns.ts';
import type { loadShippedDefinitions } from '../../test/shipped/shipped.ts';

export type ShippedDefinitions = ReturnType<typeof loadShippedDefinitions>;
type CompiledObject = ShippedDefinitions['objects'] extends ReadonlyMap<string, infer O> ? O : never;

/** The objects that a recording answers, each with what is wrong with the answer; empty where the object fits it. */
export async function tryObjects(
  path: string,
  ids: readonly string[],
  { objects, raw }: ShippedDefinitions,
): Promise<Map<string, string[]>> {
  const columns = new Set(
    ids.flatMap((id) => [...objects.get(id)!.attributes.values()].map(({ column }) => column)),
  );
  const answered = findAnswered(path, columns);
  if (answered.size === 0) return new Map();
  const recorded = await readRecordedColumns(path, answered);
  const findings = new Map<string, string[]>();
  for (const id of ids) {
    const object = objects.get(id)!;
    if ([...object.attributes.values()].some(({ column }) => recorded.has(column)))
      findings.set(id, findProblems(object, recorded, raw));
  }
  return findings;
}

/** The columns that occur in a recording. Most recordings answer few of them, and reading the text is fast. */
function findAnswered(path: string, columns: ReadonlySet<string>): Set<string> {
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1');
  const answered = new Set<string>();
  for (const line of text.split('\n')) {
    const oid = line.slice(0, line.indexOf('|'));
    for (let end = oid.lastIndexOf('.'); end > 0; end = oid.lastIndexOf('.', end - 1)) {
      const column = oid.slice(0, end);
      if (columns.has(column)) answered.add(column);
    }
  }
  return answered;
}

function findProblems(
  { index, attributes }: CompiledObject,
  recorded: ReadonlyMap<string, RecordedColumn>,
  raw: RawDefinitions,
): string[] {
  const namesOf = (column: string) => findNames(raw, column);
  const cut = createIndexDecoder(index, ({ column = '' }) => namesOf(column));
  return [...attributes.values()].flatMap(({ name, column, syntax }) => {
    const found = recorded.get(column);
    if (found === undefined) return [];
    const { instances, raw: values } = found;
    const isLabelled = index.length > 0 ? cut(instances).undecoded === 0 : instances.join() === '0';
    if (!isLabelled) return [`${name} has rows that do not fit the index`];
    const gaps = new Uint8Array(values.count);
    createDecoder(findSyntax(syntax)!, namesOf(column)).decode(values, gaps);
    return gaps.every((gap) => gap === gapCode('decode'))
      ? [`${name} has no value that ${syntax} reads`]
      : [];
  });
}

function findNames(raw: RawDefinitions, column: string): ColumnNames {
  const table = raw.integerEnums.get(column) ?? raw.bitmapEnums.get(column);
  return {
    column: table && new Map(Object.entries(table).map(([key, text]) => [Number(key), text])),
    oids: raw.oidEnums,
  };
}
