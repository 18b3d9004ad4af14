import { type DefinitionSections, type SectionName, sectionNames } from '../../../src/internal.ts';
import type { WorkerClient } from '../worker/worker-client.ts';

/**
 * The candidate's sections, made of the running ones and of what differs. Pieces are asked for one by one, so that the
 * loop turns between two of them. What did not change is shared with `running`, which stays as it is.
 */
export async function receiveSections(
  client: WorkerClient,
  running: DefinitionSections | undefined,
): Promise<DefinitionSections> {
  const copies = new Map<SectionName, Map<string, unknown>>();
  // One ahead: the worker writes a piece while the one before it is read here.
  let upcoming = client.ask({ type: 'next' });
  for (;;) {
    const piece = await upcoming;
    if (piece === undefined) break;
    upcoming = client.ask({ type: 'next' });
    let copy = copies.get(piece.section);
    if (copy === undefined) {
      copy = new Map(running?.[piece.section] as ReadonlyMap<string, unknown>);
      copies.set(piece.section, copy);
    }
    for (const id of piece.removed) copy.delete(id);
    for (const [id, value] of piece.entries) copy.set(id, value);
  }
  return Object.fromEntries(
    sectionNames.map((name) => [name, copies.get(name) ?? running?.[name] ?? new Map()]),
  ) as unknown as DefinitionSections;
}
