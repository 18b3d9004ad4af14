import { isDeepStrictEqual } from 'node:util';
import { type DefinitionSections, type SectionName, sectionNames } from '../../../src/internal.ts';

/** A part of a change, small enough to be taken in between two packets. */
export interface DeltaPiece {
  readonly section: SectionName;
  readonly entries: readonly (readonly [id: string, value: unknown])[];
  readonly removed: readonly string[];
}

/** What turns one set of sections into another, in pieces. */
export function* findDelta(
  before: DefinitionSections | undefined,
  after: DefinitionSections,
): Generator<DeltaPiece, void> {
  for (const section of sectionNames) {
    const old: ReadonlyMap<string, unknown> = before?.[section] ?? new Map();
    let entries: [string, unknown][] = [];
    let weight = 0;
    for (const [id, value] of after[section]) {
      // A hash would not do: it leaves out what is only shown, such as descriptions.
      if (isDeepStrictEqual(old.get(id), value)) continue;
      entries.push([id, value]);
      weight += weightOf(value);
      if (weight < maxPieceWeight) continue;
      yield { section, entries, removed: [] };
      entries = [];
      weight = 0;
    }
    const removed = [...old.keys()].filter((id) => !after[section].has(id));
    if (entries.length + removed.length > 0) yield { section, entries, removed };
  }
}

/** Taken in within about 2 ms. */
const maxPieceWeight = 1_000;

/** How many small things a value holds: attributes, enum texts, settings. */
function weightOf(value: unknown): number {
  if (!isMap(value)) return 0.3;
  const inner = value['attributes'] ?? value['names'];
  return 1 + (inner instanceof Map ? inner.size : 0);
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
