import assert from 'node:assert/strict';
import { readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { MibSet } from '../../../../authoring/mib/index.ts';
import { missingShared, missingTool, sharedPath } from '../../../support/needs.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { compareWithSmidump } from './compare-with-smidump.ts';

const skip = missingShared('mibs') || missingTool('smidump');
describe('standard MIBs', { skip }, () => {
  it('have the nodes that smidump prints, field by field', (t) => {
    const folder = temporaryFolder(t);
    // smidump finds an import by the name of its file, without an extension.
    const set = new MibSet([sharedPath('mibs')]);
    const modules = set.modules();
    for (const { name, file } of modules) symlinkSync(file, join(folder, name));
    const configuration = join(folder, 'smi.conf');
    writeFileSync(configuration, `path ${folder}\n`);
    assert.ok(readdirSync(folder).length > 50);
    const { nodes, differences } = compareWithSmidump(modules, { configuration });
    assert.ok(nodes > 5_000, String(nodes));
    assert.deepEqual(
      differences.filter(({ cause }) => cause === undefined),
      [],
    );
  });

  it('have errors only where they import from a module that is not there', () => {
    const set = new MibSet([sharedPath('mibs')]);
    assert.ok(set.counts().modules > 50);
    const problems = set.problems();
    const incomplete = new Set(
      problems.filter(({ rule }) => rule === 'unknown-module').map(({ file }) => file),
    );
    assert.deepEqual(
      problems.filter(({ level, file }) => level === 'error' && !incomplete.has(file)),
      [],
    );
  });
});
