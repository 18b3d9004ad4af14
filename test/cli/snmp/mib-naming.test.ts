import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { openNaming } from '../../../cli/snmp/mib-naming.ts';
import type { Varbind } from '../../../src/snmp/index.ts';
import { parseRecording, type ReplayAgent, startReplayAgent } from '../../../src/testing/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { acmeOid, rowInstance, writeAcmeMibs } from '../mib/support/acme-mibs.ts';
import { CollectorProcess } from '../support/collector-process.ts';

const folder = writeAcmeMibs();
const naming = openNaming([folder], false);
const octets = (text: string) => Buffer.from(text, 'latin1');

describe('names of MIBs', () => {
  it('stand for OIDs and instances', () => {
    assert.equal(naming.resolve('ACME-MIB::acmeHeat.0'), `${acmeOid}.1.0`);
    assert.equal(naming.resolve('acmeTable'), `${acmeOid}.5`);
    assert.equal(naming.resolve('.1.3.6'), '1.3.6');
    assert.equal(naming.resolve(`acmeBytes.${rowInstance}`), `${acmeOid}.5.1.5.${rowInstance}`);
  });

  it('are refused when they have several OIDs or none', () => {
    assert.throws(() => naming.resolve('acmeHeat.0'), {
      code: 'MIB_NAME_AMBIGUOUS',
      message:
        '"acmeHeat.0" has different OIDs in several modules. Write one of: ACME-MIB::acmeHeat.0, ACME-PORT-MIB::acmeHeat.0.',
    });
    for (const word of ['Celsius', 'Celsius.1', 'nothing', '', '1.3.x', '::', 'ACME-MIB::']) {
      assert.throws(() => naming.resolve(word), { code: 'MIB_NAME_UNKNOWN' }, word);
    }
  });

  it('appear in the output, with enums, hints, units and bits', () => {
    const lines: readonly (readonly [Varbind, string])[] = [
      [
        { oid: `${acmeOid}.1.0`, type: 'Integer32', value: -5 },
        'ACME-MIB::acmeHeat.0 = INTEGER: -0.5 degrees',
      ],
      [
        { oid: `${acmeOid}.2.0`, type: 'OctetString', value: octets('\x80\x40') },
        'ACME-MIB::acmeDays.0 = STRING: 80 40 sunday(0) friday(9)',
      ],
      [
        { oid: `${acmeOid}.3.0`, type: 'OctetString', value: Buffer.from('Zürich\u001b') },
        'ACME-MIB::acmeLabel.0 = STRING: "Zürich\\u001b"',
      ],
      [
        { oid: `${acmeOid}.4.0`, type: 'ObjectIdentifier', value: `${acmeOid}.5.1.2.9` },
        'ACME-MIB::acmeKind.0 = OID: ACME-MIB::acmeState.9',
      ],
      [
        { oid: `${acmeOid}.5.1.1.7`, type: 'OctetString', value: octets('\x00\x1b\x21\xaa\xbb\xcc') },
        'ACME-MIB::acmeMac.7 = STRING: 00:1b:21:aa:bb:cc',
      ],
      [{ oid: `${acmeOid}.5.1.2.7`, type: 'Integer32', value: 1 }, 'ACME-MIB::acmeState.7 = INTEGER: up(1)'],
      [{ oid: `${acmeOid}.5.1.2.7`, type: 'Integer32', value: 9 }, 'ACME-MIB::acmeState.7 = INTEGER: 9'],
      [
        { oid: `${acmeOid}.5.1.5.7`, type: 'Counter64', value: 12n },
        'ACME-MIB::acmeBytes.7 = Counter64: 12 bytes',
      ],
      [{ oid: '1.3.6.1.2.1.1.3.0', type: 'Integer32', value: 1 }, '.1.3.6.1.2.1.1.3.0 = INTEGER: 1'],
    ];
    for (const [varbind, line] of lines) assert.equal(naming.format(varbind), line);
  });

  it('leave a value as it is when the device sends another type, or octets that do not fit the hint', () => {
    const lines: readonly (readonly [Varbind, string])[] = [
      [
        { oid: `${acmeOid}.1.0`, type: 'OctetString', value: octets('5') },
        'ACME-MIB::acmeHeat.0 = STRING: "5"',
      ],
      [{ oid: `${acmeOid}.5.1.2.7`, type: 'Counter32', value: 1 }, 'ACME-MIB::acmeState.7 = Counter32: 1'],
      [
        { oid: `${acmeOid}.3.0`, type: 'OctetString', value: octets('\xff') },
        'ACME-MIB::acmeLabel.0 = Hex-STRING: FF ',
      ],
      [
        { oid: `${acmeOid}.1.0`, type: 'noSuchInstance', value: null },
        'ACME-MIB::acmeHeat.0 = No Such Instance currently exists at this OID',
      ],
    ];
    for (const [varbind, line] of lines) assert.equal(naming.format(varbind), line);
  });

  it('are keys of the JSON, beside the value as the device sends it', () => {
    const { format } = openNaming([folder], true);
    assert.equal(
      format({ oid: `${acmeOid}.1.0`, type: 'Integer32', value: 235 }),
      `{"oid":"${acmeOid}.1.0","type":"Integer32","value":235,"name":"ACME-MIB::acmeHeat.0","text":"23.5","units":"degrees"}`,
    );
  });
});

describe('waywiser walk and get with --mibs', () => {
  let agent: ReplayAgent;
  before(async () => {
    const text = `${acmeOid}.1.0|2|235\n${acmeOid}.5.1.2.7|2|2\n`;
    agent = await startReplayAgent({ recording: parseRecording(text) });
  });
  after(() => agent.close());

  async function run(t: TestContext, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const command = new CollectorProcess(t);
    command.run([...args.slice(0, 1), `${agent.address}:${agent.port}`, ...args.slice(1)], env);
    return [await command.exit, command.stdout, command.stderr];
  }

  it('take names and print names', async (t) => {
    assert.deepEqual(await run(t, ['walk', 'ACME-MIB::acme', '--mibs', folder]), [
      0,
      'ACME-MIB::acmeHeat.0 = INTEGER: 23.5 degrees\nACME-MIB::acmeState.7 = INTEGER: down(2)\n',
      '',
    ]);
    assert.deepEqual(await run(t, ['get', 'acmeState.7', '--mibs', folder]), [
      0,
      'ACME-MIB::acmeState.7 = INTEGER: down(2)\n',
      '',
    ]);
  });

  it('load the MIB compiler, which nothing else does', async (t) => {
    const loads = async (words: readonly string[]) => {
      const coverage = temporaryFolder(t);
      await run(t, words, { NODE_V8_COVERAGE: coverage });
      const texts = readdirSync(coverage).map((name) => readFileSync(join(coverage, name), 'utf8'));
      assert.match(texts.join(''), /\bcli\/snmp\/requests/);
      return /\b(authoring|cli)\/mib\/(?!register)/.test(texts.join(''));
    };
    assert.equal(await loads(['get', `${acmeOid}.1.0`, '--mibs', folder]), true);
    assert.equal(await loads(['get', `${acmeOid}.1.0`]), false);
  });
});
