import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pid } from 'node:process';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { systemReasonOf } from '../../../src/kernel/system-reason.ts';
import { cliFailure, usageFailure } from '../../cli-errors.ts';

/** A recording that is being written. It has a temporary name beside the file until it is complete. */
export class RecordingFile {
  readonly path: string;
  readonly partPath: string;

  /** Throws RECORDING_NAME_INVALID. */
  constructor(path: string) {
    if (!/\.snmprec(\.gz)?$/.test(path)) throw usageFailure('RECORDING_NAME_INVALID', { file: path });
    this.path = path;
    this.partPath = `${path}.${pid}.part`;
  }

  /** Compresses when the name ends in `.gz`. Rethrows what `lines` throws, and leaves no file then. */
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
      const reason = systemReasonOf(error);
      throw fault ?? cliFailure('RECORDING_UNWRITABLE', { file: this.path, reason });
    }
  }
}
