import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** Mounts a file system of this size for a test. Undefined if this user may not mount one. */
export function mountSmallDisk(t: TestContext, bytes: number): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'waywiser-disk-'));
  let isMounted = false;
  t.after(() => {
    if (isMounted) execFileSync('umount', [folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  isMounted = true;
  return folder;
}
