import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { platform } from 'node:process';

/** Waits for the end of its input. `-l`: also while files are open. */
const untilEnd = 'read -r end; umount -l "$0"; rmdir "$0"';

/**
 * Mounts a file system of this size for a test. Undefined if this user may not mount one. A shell unmounts it after the test, and also when the
 * process of the test ends in any other way: the input of the shell ends with it.
 */
export function mountSmallDisk(
  t: { after(end: () => Promise<void>): void },
  bytes: number,
): string | undefined {
  if (platform !== 'linux') return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'waywiser-disk-'));
  // Its own process group: signals to the group of the test do not end it.
  const cleaner = spawn('sh', ['-c', untilEnd, folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  const exited = once(cleaner, 'exit');
  t.after(async () => {
    cleaner.stdin.end();
    await exited;
  });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    return undefined;
  }
}
