import type { Batch } from '../../../../src/index.ts';
import { labelText } from '../exposition/label-text.ts';
import { listRowLabels } from '../naming/row-label-list.ts';

export interface RowLabels {
  /** Each row's labels with their braces: `{device="a",netif_index="1"} `. */
  readonly texts: readonly string[];
  readonly names: ReadonlySet<string>;
}

export function buildRowLabels(batch: Batch): RowLabels {
  const { rows, names } = listRowLabels(batch);
  const texts = rows.map((labels) => `{${labels.map(([name, value]) => labelText(name, value)).join(',')}} `);
  return { texts, names };
}
