import type { FileSystem } from './file-system.ts';

/** Writes all parts at `position`, one behind the other. When it throws, some of them may be in the file. */
export function writeAll(
  files: FileSystem,
  descriptor: number,
  parts: readonly Uint8Array[],
  position: number,
): void {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  let written = files.write(descriptor, parts, position);
  while (written < size) {
    const rest = Buffer.concat(parts).subarray(written);
    const more = files.write(descriptor, [rest], position + written);
    if (more === 0) throw Object.assign(new Error('the disk took nothing'), { code: 'ENOSPC' });
    written += more;
  }
}
