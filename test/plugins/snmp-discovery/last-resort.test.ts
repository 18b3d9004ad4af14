import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import { encodeOid } from '../../../src/snmp/index.ts';
import { parseRecording, startReplayAgent } from '../../../src/testing/index.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { startDiscovery } from './discovery-stack.ts';

const system = '1.3.6.1.2.1.1';
const sysObjectId = `${system}.2.0`;

/** Passes datagrams to and from an agent, except requests that contain the OID. */
async function startFilter(test: TestContext, port: number, oid: string): Promise<number> {
  const octets = encodeOid(oid)!;
  const front = createSocket('udp4');
  test.after(() => front.close());
  front.on('message', (request, peer) => {
    if (request.includes(octets)) return;
    const back = createSocket('udp4');
    back.on('message', (reply) => {
      front.send(reply, peer.port, peer.address);
      back.close();
    });
    back.send(request, port, '127.0.0.1');
  });
  front.bind(0, '127.0.0.1');
  await once(front, 'listening');
  return front.address().port;
}

async function discoverAt(test: TestContext, port: number) {
  const folder = new DefinitionFolder(test, { 'autodiscover/sysoids/all.yml': '.1.3.6.1: plain\n' });
  folder.write(
    'objects/more.yml',
    `SNMPv2-MIB::more:
  attributes:
    sysObjectID: { oid: .1.3.6.1.2.1.1.2, name: system.oid, syntax: ObjectIdentifier }
    sysName: { oid: .1.3.6.1.2.1.1.5, name: system.name, syntax: DisplayString }
`,
  );
  folder.write('object_groups/groups.yml', 'system: { objects: [SNMPv2-MIB::system, SNMPv2-MIB::more] }\n');
  folder.write('device_groups/groups.yml', 'plain: { object_groups: [system] }\n');
  folder.writeDevices([{ name: 'sw', port, groups: 'tags: { a: b }' }]);
  const { discovery, device, settle } = await startDiscovery(test, folder);
  await settle();
  return discovery.findInventory(device('sw'));
}

const others = `${system}.1.0|4|a device\n${system}.3.0|67|100\n${system}.5.0|4|name\n`;
const answers = {
  noSuchObject: others,
  '0.0': `${sysObjectId}|6|0.0\n${others}`,
  'an empty text': `${sysObjectId}|4|\n${others}`,
  'an OID outside of all entries': `${sysObjectId}|6|1.2.840.1\n${others}`,
};

describe('a device without device_groups', () => {
  for (const [answer, text] of Object.entries(answers)) {
    it(`belongs to the group of .1.3.6.1 when its sysObjectID is ${answer}`, async (t) => {
      await using agent = await startReplayAgent({ recording: parseRecording(text) });
      assert.deepEqual((await discoverAt(t, agent.port))?.deviceGroups, ['plain']);
    });
  }

  it('belongs to it when no request with its sysObjectID is answered, and keeps its other scalars', async (t) => {
    await using agent = await startReplayAgent({ recording: parseRecording(others) });
    const inventory = await discoverAt(t, await startFilter(t, agent.port, sysObjectId));
    assert.deepEqual(inventory?.deviceGroups, ['plain']);
    assert.equal(inventory?.sysUpTime, 100);
    assert.deepEqual(inventory?.objects.get('SNMPv2-MIB::more')?.instances, ['0']);
  });
});
