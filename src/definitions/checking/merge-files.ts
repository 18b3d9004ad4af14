import type { Problem } from '../../model/definition-changes.ts';
import { type DefinitionKind, definitionKinds } from '../schema/definition-kinds.ts';
import type { DefinitionPath, RawDefinitions } from '../schema/raw-definitions.ts';
import type { CheckedFile } from './checked-file.ts';

/** The files of all roots as one set, and the file of each id. */
export interface MergedDefinitions {
  readonly raw: RawDefinitions;
  readonly origins: Readonly<Record<DefinitionKind, ReadonlyMap<string, CheckedFile>>>;
  readonly problems: readonly Problem[];
  /** Ids of an earlier root that a later root defines again. */
  readonly replaced: readonly Replacement[];
}

export interface Replacement {
  readonly path: DefinitionPath;
  readonly file: string;
  readonly replacedFile: string;
}

/**
 * Joins files in their order. Where two roots define the same id, the later root wins. Within one root an id is unique: a
 * second definition is an error for devices, as one of them would not be polled, and a warning for the rest, where the
 * later file wins.
 */
export function mergeFiles(files: readonly CheckedFile[]): MergedDefinitions {
  const raw = byKind(() => new Map<string, unknown>());
  const origins = byKind(() => new Map<string, CheckedFile>());
  const problems: Problem[] = [];
  const replaced: Replacement[] = [];

  for (const file of files) {
    const { kind, entries } = file.content;
    for (const [id, entry] of entries) {
      const earlier = origins[kind].get(id);
      if (earlier !== undefined) {
        if (earlier.rootIndex < file.rootIndex) {
          replaced.push({ path: [kind, id], file: file.name, replacedFile: earlier.name });
        } else problems.push(duplicateProblem(kind, id, earlier, file));
        // The definition that wins also takes the later position.
        raw[kind].delete(id);
      }
      raw[kind].set(id, entry);
      origins[kind].set(id, file);
    }
  }
  return { raw: raw as RawDefinitions, origins, problems, replaced };
}

function byKind<Value>(make: () => Value): Record<DefinitionKind, Value> {
  return Object.fromEntries(definitionKinds.map((kind) => [kind, make()])) as Record<DefinitionKind, Value>;
}

function duplicateProblem(
  kind: DefinitionKind,
  id: string,
  earlier: CheckedFile,
  file: CheckedFile,
): Problem {
  const isDevice = kind === 'devices';
  const outcome = isDevice ? 'Rename one of them.' : 'This one is used. Remove the other one.';
  return {
    level: isDevice ? 'error' : 'warning',
    file: file.name,
    line: file.content.lines.get(id) ?? 1,
    column: 1,
    rule: 'duplicate-id',
    message: `“${id}” is also defined in ${earlier.name}:${earlier.content.lines.get(id) ?? 1}. ${outcome}`,
  };
}
