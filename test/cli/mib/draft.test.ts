import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { describe, it } from 'node:test';
import { modulePath, nodeOptions } from '../../support/own-module.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const main = modulePath(new URL('../../../src/cli/main.ts', import.meta.url));

const module = `
LAMP-MIB DEFINITIONS ::= BEGIN
IMPORTS enterprises, OBJECT-TYPE FROM SNMPv2-SMI;
lampTable OBJECT-TYPE SYNTAX SEQUENCE OF LampEntry MAX-ACCESS not-accessible STATUS current DESCRIPTION "x"
  ::= { enterprises 32473 8 }
lampEntry OBJECT-TYPE SYNTAX LampEntry MAX-ACCESS not-accessible STATUS current DESCRIPTION "x" INDEX { lampIndex }
  ::= { lampTable 1 }
LampEntry ::= SEQUENCE { lampIndex INTEGER, lampHours INTEGER }
lampIndex OBJECT-TYPE SYNTAX INTEGER MAX-ACCESS not-accessible STATUS current DESCRIPTION "x" ::= { lampEntry 1 }
lampGlow OBJECT-TYPE SYNTAX INTEGER MAX-ACCESS read-only STATUS current DESCRIPTION "Glow of \u001b[31m: &x." ::= { lampEntry 2 }
END
`;

function draft(context: Parameters<typeof temporaryFolder>[0], ...words: readonly string[]) {
  const folder = temporaryFolder(context);
  writeFileSync(join(folder, 'lamp.mib'), module);
  const out = join(folder, 'out');
  return { out, ...run('mib', 'draft', ...words, '--mibs', folder, '--out', out) };
}

function run(...words: readonly string[]) {
  return spawnSync(execPath, [...nodeOptions, main, ...words], { encoding: 'utf8' });
}

describe('waywiser mib draft', () => {
  it('writes a draft that check accepts, and counts what a person must decide', (context) => {
    const { status, stdout, out } = draft(context, 'LAMP-MIB::lampTable', '--json');
    equal(status, 0);
    const { counts, written } = JSON.parse(stdout);
    deepEqual(counts, { objects: 1, attributes: 1, enums: 0, decisions: 1 });
    deepEqual(written, ['object_groups/lamp-mib.yml', 'objects/lamp-mib.yml']);
    const text = readFileSync(join(out, 'objects/lamp-mib.yml'), 'utf8');
    match(text, /# decide: the unit of lampGlow/);
    ok(!text.includes('\u001b'));
    equal(run('check', '--strict', '--shipped', out).status, 0);
  });

  it('suggests the module and the row that were meant, and writes nothing', (context) => {
    const unknown = draft(context, 'LAMP-MIC');
    equal(unknown.status, 1);
    match(unknown.stderr, /There is no module "LAMP-MIC".*Did you mean "LAMP-MIB"\?/);
    match(
      draft(context, 'LAMP-MIB::lampEntri').stderr,
      /no table, row or group "lampEntri"\. Did you mean "lampEntry"\?/,
    );
  });
});
