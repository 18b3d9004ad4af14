import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { env } from 'node:process';

/** The value of the base set's secret references. */
env['WAYWISER_TEST_COMMUNITY'] ??= 'not-a-secret';
env['WAYWISER_TEST_SHORT'] ??= '1234567';

/** A directory of definitions that is removed at the end of the test. */
export class DefinitionDirectory implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'waywiser-definitions-'));

  constructor(files: Readonly<Record<string, string | Buffer>> = {}) {
    this.write(files);
  }

  write(files: Readonly<Record<string, string | Buffer>>): void {
    for (const [name, text] of Object.entries(files)) {
      const target = join(this.path, name);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, text);
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
