import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Recording } from './recording.ts';
import { RecordingBuilder, type VarbindSink } from './recording-builder.ts';
import { LineProblem, RecordingError, type RecordingParser } from './recording-parser.ts';
import { SnmprecParser } from './snmprec-parser.ts';
import { SnmpwalkParser } from './snmpwalk-parser.ts';

/** Called for a line that is left out because it cannot be read. Lines are numbered from 1. */
export type UnreadableLine = (line: number, problem: string) => void;

/**
 * Reads `.snmprec` files, and the output of `snmpwalk -On` under any other ending, both also with `.gz`. The file is streamed;
 * the recording takes about the size of the varbinds on the wire. Throws a `RecordingError` with file and line; with `onUnreadable`, it goes
 * on behind a line that it cannot read, and refuses only a file without any varbind.
 */
export async function loadRecording(path: string, onUnreadable?: UnreadableLine): Promise<Recording> {
  const builder = new RecordingBuilder();
  await readRecording(path, builder, onUnreadable);
  return builder.finish(path);
}

/** Reads a file as `loadRecording` does, and keeps nothing of it. */
export async function readRecording(
  path: string,
  sink: VarbindSink,
  onUnreadable?: UnreadableLine,
): Promise<void> {
  const lines = new RecordingLines(path, sink, onUnreadable);
  let problem: unknown;
  const addChunks = async (chunks: AsyncIterable<Buffer>) => {
    try {
      for await (const chunk of chunks) lines.addChunk(chunk);
    } catch (error) {
      problem = error;
      throw error;
    }
  };
  const file: Readable = createReadStream(path, { highWaterMark: 1 << 18 });
  try {
    if (path.endsWith('.gz')) await pipeline(file, createGunzip({ chunkSize: 1 << 18 }), addChunks);
    else await pipeline(file, addChunks);
  } catch (error) {
    // The pipeline may report the abort of its streams instead of what ended it.
    throw problem ?? error;
  }
  lines.finish();
}

/** Like `loadRecording`, for text; `name` replaces the name of the file, including its ending. */
export function parseRecording(text: string, name = 'text.snmprec'): Recording {
  const builder = new RecordingBuilder();
  const lines = new RecordingLines(name, builder);
  lines.addChunk(Buffer.from(text));
  lines.finish();
  return builder.finish(name);
}

const newline = 0x0a;

/** Splits chunks into lines for the parser of the format. */
class RecordingLines {
  readonly #name: string;
  readonly #parser: RecordingParser;
  readonly #onUnreadable: UnreadableLine | undefined;
  #line = 0;
  /** The beginning of a line whose end has not come yet. */
  readonly #rest: Buffer[] = [];
  #hasVarbinds = false;
  #firstError: RecordingError | undefined;

  /** The ending of the name gives the format. */
  constructor(name: string, sink: VarbindSink, onUnreadable?: UnreadableLine) {
    this.#name = name;
    this.#onUnreadable = onUnreadable;
    const noting: VarbindSink = {
      add: (oid, tag, value) => {
        this.#hasVarbinds = true;
        sink.add(oid, tag, value);
      },
    };
    this.#parser = /\.snmprec(\.gz)?$/.test(name) ? new SnmprecParser(noting) : new SnmpwalkParser(noting);
  }

  addChunk(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      this.#endLine(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.#rest.push(Buffer.from(chunk.subarray(start)));
  }

  #endLine(end: Buffer): void {
    const rest = this.#rest.splice(0);
    this.#addLine(rest.length === 0 ? end : Buffer.concat([...rest, end]));
  }

  finish(): void {
    this.#endLine(Buffer.alloc(0));
    try {
      this.#parser.finish();
    } catch (error) {
      this.#leaveOut(error);
    }
    if (this.#firstError !== undefined && !this.#hasVarbinds) throw this.#firstError;
  }

  #addLine(line: Buffer): void {
    this.#line++;
    try {
      this.#parser.addLine(line);
    } catch (error) {
      this.#leaveOut(error);
    }
  }

  #leaveOut(error: unknown): void {
    if (!(error instanceof LineProblem)) throw error;
    const located = new RecordingError(this.#name, this.#line, error.message);
    if (this.#onUnreadable === undefined) throw located;
    this.#firstError ??= located;
    this.#onUnreadable(this.#line, error.message);
  }
}
