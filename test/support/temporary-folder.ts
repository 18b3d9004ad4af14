import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

/** A new folder, removed after the test, or without one after all of the file. */
export function temporaryFolder(test: { after(remove: () => void): void } = { after }): string {
  const folder = mkdtempSync(join(tmpdir(), 'waywiser-'));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
