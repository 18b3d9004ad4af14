import type { CheckedFile, DefinitionKind } from '../../../src/definitions/index.ts';
import { isSecretReference } from '../../../src/kernel/index.ts';

/** Replaces a secret that was plain text: the snapshot never contains one. */
const removed = '(removed)';

const secretKeys: ReadonlySet<string> = new Set([
  'communities',
  'community',
  'authentication_passphrase',
  'privacy_passphrase',
  'secret_key',
  'privacy_key',
]);

/** A copy of a device, its defaults or a network without plain-text secrets; references stay. */
export function removeSecrets(entry: unknown): unknown {
  return mapSecrets(entry, undefined, false, (text) => (isSecretReference(text) ? text : removed));
}

/** Puts removed secrets back, from `current`: the same entry as in the files now. */
function restoreSecrets(entry: unknown, current: unknown): unknown {
  return mapSecrets(entry, current, false, (text, now) =>
    text === removed && typeof now === 'string' ? now : text,
  );
}

function mapSecrets(
  value: unknown,
  beside: unknown,
  isSecret: boolean,
  change: (text: string, beside: unknown) => string,
): unknown {
  if (typeof value === 'string') return isSecret ? change(value, beside) : value;
  if (typeof value !== 'object' || value === null) return value;
  const other = (typeof beside === 'object' && beside !== null ? beside : {}) as Record<string, unknown>;
  if (Array.isArray(value)) {
    return value.map((item, index) => mapSecrets(item, other[String(index)], isSecret, change));
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      mapSecrets(inner, other[key], isSecret || secretKeys.has(key), change),
    ]),
  );
}

/** Entries that may have secrets in plain text, by kind and name. */
export type EntriesWithSecrets = ReadonlyMap<string, unknown>;

/** The files of a snapshot, with the plain-text secrets of these entries. */
export function fillSecrets(files: readonly CheckedFile[], secrets: EntriesWithSecrets): CheckedFile[] {
  return files.map((file) => {
    const { kind, entries } = file.content;
    if (!kindsWithSecrets.has(kind)) return file;
    const filled = [...entries].map(
      ([id, entry]) => [id, restoreSecrets(entry, secrets.get(`${kind} ${id}`))] as const,
    );
    return { ...file, content: { ...file.content, entries: new Map(filled) } };
  });
}

export function entriesWithSecrets(files: readonly CheckedFile[]): EntriesWithSecrets {
  return new Map(
    files.flatMap(({ content: { kind, entries } }): [string, unknown][] =>
      kindsWithSecrets.has(kind) ? [...entries].map(([id, entry]) => [`${kind} ${id}`, entry]) : [],
    ),
  );
}

/** Only these may have secrets in plain text. */
export const kindsWithSecrets: ReadonlySet<DefinitionKind> = new Set([
  'devices',
  'deviceDefaults',
  'networks',
]);
