import type { RecordRow } from '../../../../../src/client/index.ts';
import { textOf } from './device-rows.ts';

export function nameOf(row: RecordRow): string {
  return textOf(row, 'netif.name') || textOf(row, 'netif.descr') || row.key;
}

/** `disabled` for an interface that somebody switched off: it is not in trouble. */
export function stateOf(row: RecordRow): string {
  if (textOf(row, 'netif.status.admin.name') === 'down') return 'disabled';
  return textOf(row, 'netif.status.oper.name') || 'unknown';
}
