import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pid } from 'node:process';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { cliFailure, usageFailure } from '../../cli-errors.ts';
import { fileReasonOf } from '../../terminal/failure.ts';

/** A recording on its way: under a name of its own beside the file until all of it is there. */
export class RecordingFile {
  readonly path: string;
  readonly partPath: string;

  /** Throws RECORDING_NAME_INVALID. */
  constructor(path: string) {
    if (!/\.snmprec(\.gz)?$/.test(path)) throw usageFailure('RECORDING_NAME_INVALID', { file: path });
    this.path = path;
    this.partPath = `${path}.${pid}.part`;
  }

  /** Compressed where the name ends in `.gz`. What `lines` throws is thrown on, and nothing is left of the file. */
  async write(lines: AsyncIterable<string>): Promise<void> {
    let fault: unknown;
    const source = async function* () {
      try {
        yield* lines;
      } catch (error) {
        fault = error;
        throw error;
      }
    };
    try {
      const sink = createWriteStream(this.partPath, { flags: 'wx' });
      if (this.path.endsWith('.gz')) await pipeline(source, createGzip(), sink);
      else await pipeline(source, sink);
      await rename(this.partPath, this.path);
    } catch (error) {
      await rm(this.partPath, { force: true });
      const reason = fileReasonOf(error);
      throw fault ?? cliFailure('RECORDING_UNWRITABLE', { file: this.path, reason });
    }
  }
}
