import { isDeepStrictEqual } from 'node:util';
import { type DefinitionSections, type SectionName, sectionNames } from '../../../src/definitions/index.ts';
import { SharedParts } from './shared-parts.ts';

/** A part of a change, small enough to be applied between two packets. */
export interface DeltaPiece {
  readonly section: SectionName;
  readonly entries: readonly (readonly [id: string, value: unknown])[];
  readonly removed: readonly string[];
}

/** The pieces that turn `before` into `after`. */
export function* findDelta(
  before: DefinitionSections | undefined,
  after: DefinitionSections,
): Generator<DeltaPiece, void> {
  for (const section of sectionNames) {
    const old: ReadonlyMap<string, unknown> = before?.[section] ?? new Map();
    let entries: [string, unknown][] = [];
    let weight = 0;
    for (const [id, value] of after[section]) {
      // A hash is not enough: it leaves out what is only shown, such as descriptions.
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

/** Applied in about 2 ms. */
const maxPieceWeight = 1_000;

/** The number of small parts of a value: attributes, enum texts, settings. */
function weightOf(value: unknown): number {
  if (!isMap(value)) return 0.3;
  const inner = value['attributes'] ?? value['names'];
  return 1 + (inner instanceof Map ? inner.size : 0);
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/**
 * The sections that `running` becomes with every piece that `nextPiece` brings. Awaits each piece on its own, so that the
 * event loop runs between two of them. Sections without a difference are shared with `running`, which does not change.
 */
export async function applyDelta(
  running: DefinitionSections | undefined,
  nextPiece: () => Promise<DeltaPiece | undefined>,
): Promise<DefinitionSections> {
  const copies = new Map<SectionName, Map<string, unknown>>();
  const parts = new SharedParts();
  // One piece ahead: the worker writes it while this thread reads the one before.
  let upcoming = nextPiece();
  for (;;) {
    const piece = await upcoming;
    if (piece === undefined) break;
    upcoming = nextPiece();
    let copy = copies.get(piece.section);
    if (copy === undefined) {
      copy = new Map(running?.[piece.section] as ReadonlyMap<string, unknown>);
      copies.set(piece.section, copy);
    }
    for (const id of piece.removed) copy.delete(id);
    for (const [id, value] of piece.entries) {
      if (typeof value !== 'string') parts.share(piece.section, value);
      copy.set(parts.text(id), typeof value === 'string' ? parts.text(value) : value);
    }
  }
  return Object.fromEntries(
    sectionNames.map((name) => [name, copies.get(name) ?? running?.[name] ?? new Map()]),
  ) as unknown as DefinitionSections;
}
