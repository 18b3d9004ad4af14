import type { Label } from '../../../../src/output-kit/index.ts';
import { varint } from './varint.ts';

/** Encodes sorted labels as in a series of prometheus.WriteRequest. */
export function encodeLabels(labels: readonly Label[]): Buffer {
  return Buffer.concat(labels.map(([name, value]) => encodeLabel(name, value)));
}

/** Sorts labels by name, as receivers require, and removes empty ones, which are no labels. */
export function sortLabels(labels: readonly Label[]): Label[] {
  return labels.filter(([, value]) => value !== '').sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Encodes one `Label labels = 1` with its name and value. */
export function encodeLabel(name: string, value: string): Buffer {
  const label = Buffer.concat([encodeText(1, name), encodeText(2, value)]);
  return Buffer.concat([Buffer.from([0x0a, ...varint(label.length)]), label]);
}

/** Encodes a text field with its tag and length. */
export function encodeText(field: number, text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([(field << 3) | 2, ...varint(bytes.length)]), bytes]);
}
