import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Recording } from './recording.ts';
import { RecordingBuilder, type VarbindSink } from './recording-builder.ts';
import { LineProblem, RecordingError, type RecordingParser } from './recording-parser.ts';
import { SnmprecParser } from './snmprec-parser.ts';
import { SnmpwalkParser } from './snmpwalk-parser.ts';

/**
 * Reads `.snmprec` files, and the output of `snmpwalk -On` under any other ending, both also with `.gz`. The file is streamed;
 * the recording takes about the size of the varbinds on the wire. Throws a `RecordingError` with file and line.
 */
export async function loadRecording(path: string): Promise<Recording> {
  const builder = new RecordingBuilder();
  await readRecording(path, builder);
  return builder.finish(path);
}

/** Reads a file as `loadRecording` does, and keeps nothing of it. */
export async function readRecording(path: string, sink: VarbindSink): Promise<void> {
  const lines = new RecordingLines(path, sink);
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
  #line = 0;
  #rest: Buffer = Buffer.alloc(0);

  /** The ending of the name gives the format. */
  constructor(name: string, sink: VarbindSink) {
    this.#name = name;
    this.#parser = /\.snmprec(\.gz)?$/.test(name) ? new SnmprecParser(sink) : new SnmpwalkParser(sink);
  }

  addChunk(chunk: Buffer): void {
    this.#locate(() => this.#addLines(this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])));
  }

  finish(): void {
    this.#locate(() => {
      this.#line++;
      this.#parser.addLine(this.#rest);
      this.#parser.finish();
    });
  }

  #addLines(text: Buffer): void {
    let start = 0;
    for (let end = text.indexOf(newline); end >= 0; end = text.indexOf(newline, start)) {
      this.#line++;
      this.#parser.addLine(text.subarray(start, end));
      start = end + 1;
    }
    this.#rest = Buffer.from(text.subarray(start));
  }

  #locate(parse: () => void): void {
    try {
      parse();
    } catch (error) {
      if (error instanceof LineProblem) throw new RecordingError(this.#name, this.#line, error.message);
      throw error;
    }
  }
}
