import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { checkMibs } from '../../../cli/mib/check.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { printed } from '../support/printed.ts';
import { writeAcmeMibs } from './support/acme-mibs.ts';

describe('waywiser mib check', () => {
  it('prints counts, and exits with 0 without errors', async (t) => {
    let code: number | undefined;
    const text = await printed(t, async () => {
      code = await checkMibs([writeAcmeMibs(t)], {});
    });
    assert.equal(text, '2 modules, 19 nodes, 2 files\n0 errors, 0 warnings');
    assert.equal(code, 0);
  });

  it('prints each problem with its place, and exits with 1 on errors', async (t) => {
    const folder = temporaryFolder(t);
    const file = join(folder, 'bad.mib');
    writeFileSync(file, 'A-MIB DEFINITIONS ::= BEGIN\n  a OBJECT IDENTIFIER ::= { nowhere\u202e 1 }\nEND\n');
    let code: number | undefined;
    const text = await printed(t, async () => {
      code = await checkMibs([folder, join(folder, 'gone')], {});
    });
    assert.equal(code, 1);
    assert.match(text, new RegExp(`^${file}:2:3 {2}error {2}unknown-name\n {2}The OID of a is unknown`, 'm'));
    assert.match(text, new RegExp(`^${folder}/gone:1:1 {2}error {2}file-unreadable\n`, 'm'));
    assert.match(text, /\n1 module, 0 nodes, 1 file\n2 errors, \d warnings?$/);
    assert.ok(!text.includes('\u202e'));
    const json = await printed(t, () => checkMibs([file], { json: true }));
    const { counts, problems } = JSON.parse(json);
    assert.deepEqual(counts, { modules: 1, nodes: 0, files: 1 });
    assert.deepEqual(Object.keys(problems[0]).sort(), ['column', 'file', 'level', 'line', 'message', 'rule']);
  });
});
