import { close, closeSync, fsync, fsyncSync, open, openSync } from 'node:fs';
import { promisify } from 'node:util';

const [openLater, syncLater, closeLater] = [promisify(open), promisify(fsync), promisify(close)];

/** Resolves when the names in a directory are on the disk, as far as its file system can promise that. */
export async function syncDirectory(path: string): Promise<void> {
  try {
    const descriptor = await openLater(path, 'r');
    await syncLater(descriptor).finally(() => closeLater(descriptor));
  } catch (error) {
    if (!isUnable(error)) throw error;
  }
}

/** As `syncDirectory`, before anything else can happen. */
export function syncDirectoryNow(path: string): void {
  try {
    const descriptor = openSync(path, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (!isUnable(error)) throw error;
  }
}

/** Some systems open no directory, and some servers of files sync none: they keep names in a way of their own. */
function isUnable(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return ['EINVAL', 'EISDIR', 'EPERM', 'EACCES', 'ENOTSUP'].includes(code);
}
