import { type CheckedFile, type DefinitionKind, isSecretReference } from '../../../src/internal.ts';

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

/** Whether a snapshot of the file has less than the file. */
export function hasPlainSecrets({ content: { kind, entries } }: CheckedFile): boolean {
  if (!kindsWithSecrets.has(kind)) return false;
  let found = false;
  const look = (text: string) => {
    found ||= !isSecretReference(text);
    return text;
  };
  for (const entry of entries.values()) mapSecrets(entry, undefined, false, look);
  return found;
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

/** The files of a snapshot, with plain-text secrets taken from the current files. */
export function fillSecrets(files: readonly CheckedFile[], now: readonly CheckedFile[]): CheckedFile[] {
  const current = new Map(now.flatMap(({ content }) => entriesWithSecrets(content)));
  return files.map((file) => {
    const { kind, entries } = file.content;
    if (!kindsWithSecrets.has(kind)) return file;
    const filled = [...entries].map(
      ([id, entry]) => [id, restoreSecrets(entry, current.get(`${kind} ${id}`))] as const,
    );
    return { ...file, content: { ...file.content, entries: new Map(filled) } };
  });
}

/** Only these may have secrets in plain text. */
export const kindsWithSecrets: ReadonlySet<DefinitionKind> = new Set([
  'devices',
  'deviceDefaults',
  'networks',
]);

function entriesWithSecrets({ kind, entries }: CheckedFile['content']): [string, unknown][] {
  return kindsWithSecrets.has(kind) ? [...entries].map(([id, entry]) => [`${kind} ${id}`, entry]) : [];
}
