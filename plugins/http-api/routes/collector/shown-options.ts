/** Keys whose values nobody needs to see: hashes of what lets people in. */
const hiddenKeys: ReadonlySet<string> = new Set(['sha256', 'scrypt']);

/** A plugin's options as people may see them: a secret prints as `***`, and so do hashes and passwords within addresses. */
export function showOptions(options: unknown): Readonly<Record<string, unknown>> {
  const text = JSON.stringify(options ?? {}, (key, value: unknown) => {
    if (hiddenKeys.has(key)) return '***';
    return typeof value === 'string' ? value.replace(/(\w:\/\/)[^/@\s]*@/g, '$1***@') : value;
  });
  return JSON.parse(text);
}
