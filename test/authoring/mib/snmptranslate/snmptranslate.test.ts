import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { MibSet } from '../../../../authoring/mib/index.ts';
import { missingShared, missingTool, sharedPath } from '../../../support/needs.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { compareWithSnmptranslate } from './compare-with-snmptranslate.ts';

describe('standard MIBs', { skip: missingShared('mibs') || missingTool('snmptranslate') }, () => {
  it('have the OID, type, enums, units, access, status and index that snmptranslate shows', (t) => {
    const folder = temporaryFolder(t);
    const modules = new MibSet([sharedPath('mibs')]).modules();
    for (const { name, file } of modules) symlinkSync(file, join(folder, `${name}.txt`));
    const { nodes, differences } = compareWithSnmptranslate(
      folder,
      modules.flatMap((module) => module.nodes),
    );
    assert.ok(nodes > 4_500, String(nodes));
    assert.deepEqual(
      differences.filter(({ cause }) => cause === undefined),
      [],
    );
  });
});
