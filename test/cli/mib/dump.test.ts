import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, it } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { MibSet } from '../../../authoring/mib/index.ts';
import { dumpMibs } from '../../../cli/mib/dump.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { CollectorProcess } from '../support/collector-process.ts';
import { acmeOid, writeAcmeMibs } from './support/acme-mibs.ts';

/** Takes what is written, one write at a time. */
class SlowReader extends Writable {
  text = '';
  mostWaiting = 0;
  longestWrite = 0;

  constructor() {
    super({ highWaterMark: 1, decodeStrings: false });
  }

  override _write(chunk: string, _encoding: BufferEncoding, done: () => void): void {
    this.mostWaiting = Math.max(this.mostWaiting, this.writableLength);
    this.longestWrite = Math.max(this.longestWrite, chunk.length);
    this.text += chunk;
    setImmediate(done);
  }
}

async function dump(folder: string, json: boolean): Promise<SlowReader> {
  const reader = new SlowReader();
  assert.equal(await dumpMibs([folder], { json }, reader), 0);
  return reader;
}

describe('waywiser mib dump', () => {
  it('prints one JSON object per line, whose text says the same without control characters', async (t) => {
    const folder = writeAcmeMibs(t);
    const { text } = await dump(folder, true);
    const lines = text.trimEnd().split('\n');
    const nodes = new MibSet([folder]).modules().flatMap((module) => module.nodes);
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)),
      nodes.map((node) => JSON.parse(JSON.stringify(node))),
    );
    assert.match(nodes.find(({ name }) => name === 'acmeHeat')!.description!, /\u009b/);
    assert.doesNotMatch(lines.join(''), /\p{Cc}/u);
  });

  it('prints a tree for people', async (t) => {
    const lines = stripVTControlCharacters((await dump(writeAcmeMibs(t), false)).text).split('\n');
    const at = lines.findIndex((line) => line.startsWith('ACME-MIB  '));
    assert.deepEqual(
      lines.slice(at + 1, at + 12).map((line) => line.replace(/(\S) +/g, '$1 ')),
      [
        'name kind type oid',
        'Celsius type Integer32',
        'Label type OCTET STRING (OctetString)',
        `acme node ${acmeOid}`,
        `  acmeHeat scalar Celsius (Integer32) ${acmeOid}.1`,
        `  acmeDays scalar BITS (Bits) ${acmeOid}.2`,
        `  acmeLabel scalar Label (OctetString) ${acmeOid}.3`,
        `  acmeKind scalar OBJECT IDENTIFIER (ObjectIdentifier) ${acmeOid}.4`,
        `  acmeTable table AcmeEntry ${acmeOid}.5`,
        `    acmeEntry row AcmeEntry ${acmeOid}.5.1`,
        `      acmeMac column MacAddress (OctetString) ${acmeOid}.5.1.1`,
      ],
    );
  });

  it('waits for a slow reader', async (t) => {
    const { text, mostWaiting } = await dump(writeLargeMib(t), true);
    assert.equal(text.trimEnd().split('\n').length, 5_001);
    assert.ok(mostWaiting < text.length / 10, `${mostWaiting} of ${text.length} characters waited`);
  });

  it('writes in small pieces where many objects share a large enumeration, each line complete', async (t) => {
    const folder = temporaryFolder(t);
    const words = Array.from({ length: 2_000 }, (_, i) => `word-${i}(${i})`).join(', ');
    const objects = Array.from(
      { length: 300 },
      (_, i) =>
        `o${i} OBJECT-TYPE SYNTAX E ACCESS read-only STATUS mandatory DESCRIPTION "a,""enums"":0" ::= { iso 9 ${i} }\n`,
    );
    writeFileSync(
      join(folder, 'E.mib'),
      `E-MIB DEFINITIONS ::= BEGIN\nE ::= INTEGER { enums(3000), ${words} }\n${objects.join('')}END\n`,
    );
    const { text, longestWrite } = await dump(folder, true);
    const lines = text.trimEnd().split('\n');
    const nodes = new MibSet([folder]).modules().flatMap((module) => module.nodes);
    assert.equal(nodes.length, 301);
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)),
      nodes.map((node) => JSON.parse(JSON.stringify(node))),
    );
    assert.ok(longestWrite < 16_384 + lines[0]!.length + 1_000, `${longestWrite} characters in one write`);
    assert.equal(nodes[1]!.enums, nodes[300]!.enums, 'the names and numbers are made once');
  });

  it('ends quietly when the pipe is closed', async (t) => {
    const command = new CollectorProcess(t);
    command.run(['mib', 'dump', writeLargeMib(t), '--json']);
    await once(command.output, 'data');
    command.output.destroy();
    assert.deepEqual([await command.exit, command.stderr], [0, '']);
  });

  it('reports files without a module, and counts the errors of others', async (t) => {
    const folder = temporaryFolder(t);
    await assert.rejects(dumpMibs([folder], {}), { code: 'MIB_MODULES_MISSING' });
    writeFileSync(
      join(folder, 'a.mib'),
      'A-MIB DEFINITIONS ::= BEGIN a OBJECT IDENTIFIER ::= { nowhere 1 } END',
    );
    const command = new CollectorProcess(t);
    command.run(['mib', 'dump', folder, '--json']);
    assert.equal(await command.exit, 0);
    assert.equal(
      command.stderr,
      'warning: 1 error in these files: some definitions are left out. `waywiser mib check` lists them.\n',
    );
  });
});

function writeLargeMib(...[test]: Parameters<typeof temporaryFolder>): string {
  const folder = temporaryFolder(test);
  const nodes = Array.from({ length: 5_000 }, (_, i) => `n${i} OBJECT IDENTIFIER ::= { root ${i + 1} }\n`);
  const root = 'root OBJECT IDENTIFIER ::= { iso 3 6 1 4 1 9999 }\n';
  writeFileSync(join(folder, 'L.mib'), `L-MIB DEFINITIONS ::= BEGIN\n${root}${nodes.join('')}END\n`);
  return folder;
}
