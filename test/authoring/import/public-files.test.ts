import { deepEqual, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { missingShared, sharedPath } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { imported, readImported } from './support/imported.ts';

describe('import of public configurations', { skip: missingShared('profiles') }, () => {
  for (const [format, path, least] of [
    ['snmp-exporter', 'snmp_exporter/snmp.yml', 4_500],
    ['kentik', 'kentik/kentik_snmp', 5_000],
    ['datadog', 'datadog-style/default', 4_000],
  ] as const) {
    it(`of ${format} gives definitions without problems`, async (test) => {
      const folder = temporaryFolder(test);
      execFileSync('tar', [
        'xJf',
        join(sharedPath('profiles'), 'profiles.tar.xz'),
        '-C',
        folder,
        `./${path}`,
      ]);
      const { counts, refused, unreadable, directory } = await imported(test, format, join(folder, path));
      deepEqual(unreadable, []);
      deepEqual(readImported(directory).problems, []);
      ok(counts['attributes']! >= least, JSON.stringify(counts));
      ok(refused.every(({ line, column, reason }) => line > 0 && column > 0 && reason.endsWith('.')));
    });
  }
});
