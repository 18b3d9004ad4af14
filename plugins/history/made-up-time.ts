import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Batch } from '../../src/index.ts';
import { replaceFile } from '../../src/storage/index.ts';
import type { TimeSpan } from './service.ts';

/** The time of the values that nobody polled. A file beside the tiers has it, for the next start. */
export class MadeUpTime {
  readonly #path: string;
  #span: TimeSpan | undefined;

  constructor(directory: string) {
    this.#path = join(directory, 'made-up.json');
    this.#span = read(this.#path);
  }

  /** The part of a time whose values were made up. */
  within({ fromMs, toMs }: TimeSpan): TimeSpan | undefined {
    if (this.#span === undefined) return undefined;
    const part = { fromMs: Math.max(fromMs, this.#span.fromMs), toMs: Math.min(toMs, this.#span.toMs) };
    return part.fromMs < part.toMs ? part : undefined;
  }

  extend(batches: readonly Batch[]): void {
    const { fromMs, toMs } = this.#span ?? { fromMs: Number.POSITIVE_INFINITY, toMs: 0 };
    const times = batches.map(({ timeMs }) => timeMs);
    const span = { fromMs: Math.min(fromMs, ...times), toMs: Math.max(toMs, ...times) };
    if (batches.length === 0 || (span.fromMs === fromMs && span.toMs === toMs)) return;
    this.#span = span;
    replaceFile(this.#path, [JSON.stringify(span)]);
  }
}

/** Undefined also when the file is damaged: then the time is not marked any more. */
function read(path: string): TimeSpan | undefined {
  try {
    const { fromMs, toMs } = JSON.parse(readFileSync(path, 'utf8'));
    return Number.isFinite(fromMs) && Number.isFinite(toMs) ? { fromMs, toMs } : undefined;
  } catch {
    return undefined;
  }
}
