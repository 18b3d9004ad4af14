import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Recording } from './recording.ts';
import { RecordingBuilder } from './recording-builder.ts';
import { LineProblem, RecordingError, type RecordingParser } from './recording-parser.ts';
import { SnmprecParser } from './snmprec-parser.ts';
import { SnmpwalkParser } from './snmpwalk-parser.ts';

/**
 * Reads `.snmprec` files, and the output of `snmpwalk -On` under any other ending, both also with `.gz`. The file is streamed;
 * the recording takes about the size of the varbinds on the wire. Throws a `RecordingError` with file and line.
 */
export async function loadRecording(path: string): Promise<Recording> {
  const lines = new RecordingLines(path, formatOf(path));
  const sink = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) lines.addChunk(chunk);
  };
  const file: Readable = createReadStream(path, { highWaterMark: 1 << 18 });
  if (path.endsWith('.gz')) await pipeline(file, createGunzip({ chunkSize: 1 << 18 }), sink);
  else await pipeline(file, sink);
  return lines.finish();
}

/** Like `loadRecording`, for text; `name` replaces the name of the file, including its ending. */
export function parseRecording(text: string, name = 'text.snmprec'): Recording {
  const lines = new RecordingLines(name, formatOf(name));
  lines.addChunk(Buffer.from(text));
  return lines.finish();
}

type Format = 'snmprec' | 'snmpwalk';

function formatOf(path: string): Format {
  return /\.snmprec(\.gz)?$/.test(path) ? 'snmprec' : 'snmpwalk';
}

/** Splits chunks into lines for the parser of the format. */
class RecordingLines {
  readonly #name: string;
  readonly #builder = new RecordingBuilder();
  readonly #parser: RecordingParser;
  #line = 0;
  #rest: Buffer = Buffer.alloc(0);

  constructor(name: string, format: Format) {
    this.#name = name;
    this.#parser =
      format === 'snmprec' ? new SnmprecParser(this.#builder) : new SnmpwalkParser(this.#builder);
  }

  addChunk(chunk: Buffer): void {
    const text = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let start = 0;
    for (let end = text.indexOf(0x0a); end >= 0; end = text.indexOf(0x0a, start)) {
      this.#addLine(text.subarray(start, end));
      start = end + 1;
    }
    this.#rest = Buffer.from(text.subarray(start));
  }

  finish(): Recording {
    this.#addLine(this.#rest);
    this.#locate(() => this.#parser.finish());
    return this.#builder.finish(this.#name);
  }

  #addLine(line: Buffer): void {
    this.#line++;
    this.#locate(() => this.#parser.addLine(line));
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
