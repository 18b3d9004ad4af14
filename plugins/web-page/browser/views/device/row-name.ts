import type { RecordRow } from '../../../../../src/client/index.ts';

/** What a row is called: the name among its labels, else its key. Empty for the only row of scalars. */
export function nameRow({ key, labels }: Pick<RecordRow, 'key' | 'labels'>): string {
  const name = Object.keys(labels).find((label) => label.endsWith('.name') && !label.endsWith('type.name'));
  return (name === undefined ? '' : (labels[name] ?? '')) || (key === '0' ? '' : key);
}
