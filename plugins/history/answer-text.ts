import type { SliceTurns } from '../../src/timing/index.ts';
import type { SentAnswer, SentSeries } from './merge-answers.ts';

/** So many values of a series are written at once. */
const valuesAtOnce = 4_096;

/** The JSON of an answer, in pieces and in turns with other work. */
export async function* writeJson(answer: SentAnswer, turns: SliceTurns): AsyncGenerator<string> {
  const { times, series, ...rest } = answer;
  yield '{"times":';
  yield* writeNumbers(times, turns);
  yield ',"series":[';
  for (const [i, { values, ...facts }] of series.entries()) {
    await turns.rest();
    yield `${i === 0 ? '' : ','}${JSON.stringify(facts).slice(0, -1)},"values":`;
    yield* writeNumbers(values, turns);
    yield '}';
  }
  const end = JSON.stringify(rest).slice(1);
  yield end === '}' ? ']}' : `],${end}`;
}

async function* writeNumbers(numbers: readonly (number | null)[], turns: SliceTurns): AsyncGenerator<string> {
  if (numbers.length <= valuesAtOnce) {
    yield JSON.stringify(numbers);
    return;
  }
  for (let at = 0; at < numbers.length; at += valuesAtOnce) {
    await turns.rest();
    const piece = JSON.stringify(numbers.slice(at, at + valuesAtOnce)).slice(1, -1);
    yield `${at === 0 ? '[' : ','}${piece}`;
  }
  yield ']';
}

/** One line per value: programs for tables group them as they need. */
export async function* writeCsv({ times, series }: SentAnswer, turns: SliceTurns): AsyncGenerator<string> {
  yield 'time,device,record,row,field,value,missing\r\n';
  for (const each of series) {
    for (let at = 0, gap = 0; at < times.length; at += valuesAtOnce) {
      await turns.rest();
      const lines: string[] = [];
      gap = addLines(lines, each, times, { at, gap });
      yield lines.join('');
    }
  }
}

/** Returns the place of the gap that the next line may be in: gaps and times are ascending. */
function addLines(
  lines: string[],
  { device, record, row, field, values, gaps }: SentSeries,
  times: readonly number[],
  from: { readonly at: number; readonly gap: number },
): number {
  const name = [device, record, row, field].map(quoteCell).join();
  let { gap } = from;
  for (let i = from.at; i < Math.min(times.length, from.at + valuesAtOnce); i++) {
    const timeMs = times[i]!;
    const value = values[i];
    while ((gaps[gap + 1]?.from ?? Number.POSITIVE_INFINITY) <= timeMs) gap++;
    const isMissing = value === null && gap < gaps.length;
    const why =
      isMissing && gaps[gap]!.from <= timeMs && timeMs <= gaps[gap]!.to ? gaps[gap]!.why : undefined;
    if (value === null && why === undefined) continue;
    lines.push(`${new Date(timeMs).toISOString()},${name},${value ?? ''},${why ?? ''}\r\n`);
  }
  return gap;
}

/** A cell that begins like a formula would be computed by the program that opens the file: names come from devices. */
function quoteCell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
