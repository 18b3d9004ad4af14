import type { FileSystem } from '../../../src/internal.ts';

/** Writes all bytes at `position`. When it throws, some of them may be in the file. */
export function writeAll(files: FileSystem, descriptor: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    done += files.write(descriptor, [bytes.subarray(done)], position + done);
  }
}
