import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { describe, it } from 'node:test';
import { TreeWalk } from '../../../cli/snmp/tree-walk.ts';
import { createManager } from '../../../src/snmp/index.ts';
import { formatReal, formatVarbind } from '../../../src/snmp/varbind-text.ts';
import { parseRecording, type Recording, startReplayAgent } from '../../../src/testing/index.ts';
import { missingTool } from '../../support/needs.ts';
import { runTool } from '../../support/run-tool.ts';
import { listSharedRecordings } from '../../support/shared-recordings.ts';
import { assertSameLines } from '../../testing/replay/same-lines.ts';
import { everyType } from './every-type.ts';

const skip = missingTool('snmpbulkwalk');

describe('varbinds as lines', () => {
  it('equals the output of net-snmp for every type and edge case', { skip }, () =>
    assertPrintsAlike(parseRecording(everyType)),
  );

  for (const recording of listSharedRecordings()) {
    it(`equals the output of net-snmp for ${basename(recording)}`, { skip }, () =>
      assertPrintsAlike(recording),
    );
  }

  it('explains why there is no value', () => {
    const types = ['noSuchObject', 'noSuchInstance', 'endOfMibView', 'genErr', 'tooBig'] as const;
    const lines = types.map((type) => formatVarbind({ oid: '1.3.6', type, value: null }));
    assert.deepEqual(lines, [
      '.1.3.6 = No Such Object available on this agent at this OID',
      '.1.3.6 = No Such Instance currently exists at this OID',
      '.1.3.6 = No more variables left in this MIB View (It is past the end of the MIB tree)',
      '.1.3.6 = No value: the agent failed on this object (genErr)',
      '.1.3.6 = No value: it does not fit into a reply of the agent (tooBig)',
    ]);
  });

  it('prints an NsapAddress, which net-snmp reports as a bad type', () => {
    const varbind = { oid: '1.3', type: 'NsapAddress', value: Buffer.of(1, 0xff) } as const;
    assert.equal(formatVarbind(varbind), '.1.3 = NsapAddress: 01 FF ');
  });
});

describe('a real number', () => {
  it('is printed like printf %f', { skip: missingTool('printf') }, async () => {
    const halves = Array.from({ length: 256 }, (_, i) => (i - 128) / 128);
    const values = [...halves, 0.1, -1e-9, 123456.789, 1e15 + 0.5, 2.5e-7];
    const printed = await runTool('printf', ['%f\\n', ...values.map(String)]);
    assert.deepEqual(values.map(formatReal), printed.trimEnd().split('\n'));
  });

  it('is printed in full when large, and rounded when small', () => {
    assert.equal(formatReal(3.4028234663852886e38), '340282346638528859811704183484516925440.000000');
    assert.equal(formatReal(-1e21), '-1000000000000000000000.000000');
    assert.equal(formatReal(5e-7), '0.000000');
  });
});

async function assertPrintsAlike(recording: string | Recording): Promise<void> {
  await using agent = await startReplayAgent({ recording });
  const target = `${agent.address}:${agent.port}`;
  const printed = await runTool('snmpbulkwalk', [
    '-v2c',
    '-c',
    'public',
    '-Cr40',
    '-t',
    '5',
    '-On',
    target,
    '.1',
  ]);
  const manager = createManager({ sockets: 1 });
  try {
    const session = manager.open({
      version: '2c',
      community: 'public',
      address: agent.address,
      port: agent.port,
    });
    let lines = '';
    for await (const varbinds of new TreeWalk(session, ['1'])) {
      for (const varbind of varbinds) lines += `${formatVarbind(varbind)}\n`;
    }
    assertSameLines(lines, printed.replace(/^.* = No more variables left in this MIB View .*\n/m, ''));
  } finally {
    manager.close();
  }
}
