import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { CommandRunner } from '../support/command-runner.ts';

let commands: CommandRunner;
before(() => {
  commands = new CommandRunner();
});
after(() => commands.close());

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

async function draft(context: Parameters<typeof temporaryFolder>[0], ...words: readonly string[]) {
  const folder = temporaryFolder(context);
  writeFileSync(join(folder, 'lamp.mib'), module);
  const out = join(folder, 'out');
  return { out, ...(await run('mib', 'draft', ...words, '--mibs', folder, '--out', out)) };
}

async function run(...words: readonly string[]) {
  const { code, ...texts } = await commands.run(words);
  return { status: code, ...texts };
}

describe('waywiser mib draft', () => {
  it('writes a draft that check accepts, and counts what a person must decide', async (context) => {
    const { status, stdout, out } = await draft(context, 'LAMP-MIB::lampTable', '--json');
    equal(status, 0);
    const { counts, written } = JSON.parse(stdout);
    deepEqual(counts, { objects: 1, attributes: 1, enums: 0, notifications: 0, decisions: 1 });
    deepEqual(written, ['object_groups/lamp-mib.yml', 'objects/lamp-mib.yml']);
    const text = readFileSync(join(out, 'objects/lamp-mib.yml'), 'utf8');
    match(text, /# decide: the unit of lampGlow/);
    ok(!text.includes('\u001b'));
    equal((await run('check', '--strict', '--shipped', out)).status, 0);
  });

  it('suggests the module and the row that were meant, and writes nothing', async (context) => {
    const unknown = await draft(context, 'LAMP-MIC');
    equal(unknown.status, 1);
    match(unknown.stderr, /There is no module "LAMP-MIC".*Did you mean "LAMP-MIB"\?/);
    match(
      (await draft(context, 'LAMP-MIB::lampEntri')).stderr,
      /no table, row, group or notification "lampEntri"\. Did you mean "lampEntry"\?/,
    );
  });
});
