import type { ShownRecord, ShownRow } from './shown-records.ts';

/**
 * The pairs of attributes that seem to measure the same: the same class, value and direction in one device, and the words of one name
 * are among those of the other. Without zeros, which many sensors share.
 */
export function listMeasuredTwice(records: readonly ShownRecord[]): string[] {
  const bySensor = new Map<string, ShownRow[]>();
  for (const { title, rows } of records) {
    if (!title.startsWith('sensor ')) continue;
    for (const row of rows) {
      const value = Number(row.values['sensor.value'] ?? 0);
      if (value === 0) continue;
      const key = `${row.labels['sensor.class']} ${value.toPrecision(4)}`;
      bySensor.set(key, [...(bySensor.get(key) ?? []), row]);
    }
  }
  const pairs = new Set<string>();
  for (const rows of bySensor.values())
    for (const [i, one] of rows.entries())
      for (const other of rows.slice(i + 1)) {
        const attributes = [attributeOf(one), attributeOf(other)].sort();
        if (attributes[0] !== attributes[1] && isSame(one, other)) pairs.add(attributes.join(' and '));
      }
  return [...pairs].sort();
}

function attributeOf({ labels }: ShownRow): string {
  return (labels['sensor.id'] ?? '').split('.')[0]!;
}

function isSame({ labels: one }: ShownRow, { labels: other }: ShownRow): boolean {
  const [a, b] = [one['sensor.direction'], other['sensor.direction']];
  if (a !== undefined && b !== undefined && a !== b) return false;
  const [words, others] = [wordsOf(one), wordsOf(other)].sort((x, y) => x.length - y.length);
  for (const word of words!) {
    const found = others!.indexOf(word);
    if (found < 0) return false;
    others!.splice(found, 1);
  }
  return words!.length > 0;
}

/** Without those that say what is measured. */
function wordsOf(labels: ShownRow['labels']): string[] {
  const words = (labels['sensor.name'] ?? '').toLowerCase().match(/[a-z]+|\d+/g) ?? [];
  return words.filter(
    (word) => !/^(temp|temperature|voltage|current|power|frequency|charge|load|sensor|speed)$/.test(word),
  );
}
