import {
  closeSync,
  fdatasync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { EngineState, ReceiverMemory, SignedMark } from '../../../src/snmp/index.ts';
import { isEngineState } from '../engine-file.ts';

/** A file holds what came in this time: what is older than two of them is not timely any more. */
const fileMs = 300_000;
/** More than a receiver remembers. */
const maxFileBytes = 16 << 20;

/**
 * The signed traps of the last minutes, and the clocks of their engines, so that nothing that was captured is accepted again after a restart or a
 * kill. What is told is written by `flush`, before what it belongs to is passed on. Two files take turns. They contain no secrets.
 */
export class ReplayJournal implements ReceiverMemory {
  readonly #path: string;
  readonly #onError: (error: unknown) => void;
  #lines = '';
  #hasEngines = false;
  #file: number | undefined;
  #bytes = 0;
  #untilMs = 0;

  constructor(folder: string, onError: (error: unknown) => void) {
    this.#path = join(folder, 'signed.log');
    this.#onError = onError;
  }

  /** What the files have. A line that a kill has cut is left out. */
  read(nowMs: number): { readonly marks: readonly SignedMark[]; readonly engines: readonly EngineState[] } {
    const marks: SignedMark[] = [];
    const engines: EngineState[] = [];
    for (const path of [`${this.#path}.1`, this.#path]) {
      for (const line of readLines(path)) {
        const [, high, low, until] = /^t ([0-9a-f]{8})([0-9a-f]{8}) (\d+)$/.exec(line) ?? [];
        const untilMs = Number(until);
        if (high !== undefined && low !== undefined && untilMs > nowMs)
          marks.push({ high: Number.parseInt(high, 16) | 0, low: Number.parseInt(low, 16) | 0, untilMs });
        const engine = line.startsWith('e ') ? parse(line.slice(2)) : undefined;
        if (engine !== undefined) engines.push(engine);
      }
    }
    return { marks, engines };
  }

  keepMark({ high, low, untilMs }: SignedMark): void {
    this.#lines += `t ${hex(high)}${hex(low)} ${Math.round(untilMs)}\n`;
  }

  keepEngine(state: EngineState): void {
    this.#lines += `e ${JSON.stringify(state)}\n`;
    this.#hasEngines = true;
  }

  /** Writes what was told. A kill loses nothing of it; a loss of power may lose the last seconds of marks, and no clock that was synced. */
  flush(nowMs: number): void {
    if (this.#lines === '') return;
    const octets = Buffer.from(this.#lines);
    this.#lines = '';
    try {
      if (nowMs >= this.#untilMs || this.#bytes > maxFileBytes) this.#turn(nowMs);
      writeSync(this.#file!, octets);
      this.#bytes += octets.length;
      if (this.#hasEngines) fdatasync(this.#file!, () => {});
      this.#hasEngines = false;
    } catch (error) {
      this.#onError(error);
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #turn(nowMs: number): void {
    const isFirst = this.#file === undefined;
    this.close();
    // The next attempt begins here, whatever fails.
    this.#untilMs = 0;
    mkdirSync(dirname(this.#path), { recursive: true });
    // The first file of a process goes on: several starts in a row must not push out what is not old.
    if (!isFirst) renameSync(this.#path, `${this.#path}.1`);
    this.#file = openSync(this.#path, 'a', 0o600);
    // A kill may have cut the last line.
    writeSync(this.#file, '\n');
    this.#bytes = fstatSync(this.#file).size;
    this.#untilMs = nowMs + fileMs;
  }
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0');
}

function readLines(path: string): readonly string[] {
  try {
    return readFileSync(path, 'latin1').split('\n');
  } catch {
    return [];
  }
}

function parse(text: string): EngineState | undefined {
  try {
    const state: unknown = JSON.parse(text);
    return isEngineState(state) ? state : undefined;
  } catch {
    return undefined;
  }
}
