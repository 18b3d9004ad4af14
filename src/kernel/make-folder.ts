import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and those around it that are missing. `recursive` of Node.js says "no such file" of a read-only disk, and never
 * returns where the system refuses names, such as in /proc.
 */
export function makeFolder(path: string, mode = 0o777): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const parent = dirname(path);
    if (code === 'ENOENT' && parent !== path) {
      makeFolder(parent, mode);
      mkdirSync(path, { mode });
    } else if (code !== 'EEXIST' && code !== 'EISDIR') throw error;
  }
}
