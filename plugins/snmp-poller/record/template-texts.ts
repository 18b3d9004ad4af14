import type { PollColumns } from '../../../src/snmp/index.ts';
import type { ColumnSource, TemplatePlan } from '../plan/poll-plan.ts';
import { type Label, readTexts } from './read-texts.ts';
import type { ReadTools, SourceReader } from './source-reader.ts';

/** The texts of columns that templates name, kept until they are read again. */
export type ColumnTexts = Map<ColumnSource, Label>;

/** What reading the texts of templates needs. */
export interface TextReading {
  readonly poll: PollColumns;
  readonly reader: SourceReader;
  readonly tools: ReadTools;
  /** Texts that a failed poll leaves as they were. */
  readonly before: ColumnTexts;
  readonly now: ColumnTexts;
}

/** The text of each row. What has no value is left out, with the spaces around it, and so is what another column says already. */
export function* fillTemplate(
  plan: TemplatePlan,
  count: number,
  reading: TextReading,
): Generator<void, Label> {
  const [only] = plan;
  if (plan.length === 1 && Array.isArray(only)) return only as Label;
  const lists: (string | Label)[] = [];
  for (const part of plan) {
    if (typeof part === 'string' || Array.isArray(part)) lists.push(part as string | Label);
    else lists.push(yield* readColumn(part as ColumnSource, count, reading));
  }
  const texts = new Array<string | undefined>(count);
  for (let row = 0; row < count; row++) {
    let text = '';
    const used: string[] = [];
    for (const list of lists) {
      const part = typeof list === 'string' ? list : (list[row] ?? '').trim();
      // Many agents give a part the same name and description.
      if (typeof list !== 'string' && part.length > 3 && used.some((other) => other.includes(part))) continue;
      if (typeof list !== 'string') used.push(part);
      text += part;
    }
    const tidy = text.replace(/\s+/g, ' ').trim();
    texts[row] = tidy === '' ? undefined : tidy;
  }
  return texts;
}

/** The texts of a column. Each is read once, however many templates name it. */
export function* readColumn(
  source: ColumnSource,
  count: number,
  { poll, reader, tools, before, now }: TextReading,
): Generator<void, Label> {
  const known = now.get(source);
  if (known !== undefined) return known;
  const texts = yield* readTexts([source], count, before.get(source), poll, reader, tools);
  now.set(source, texts);
  return texts;
}
