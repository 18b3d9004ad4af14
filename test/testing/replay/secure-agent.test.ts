import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { BerReader } from '../../../src/snmp/codec/ber-reader.ts';
import { readV3Message } from '../../../src/snmp/usm/message/v3-message.ts';
import { parseRecording, type ReplayAgent, startReplayAgent } from '../../../src/testing/index.ts';
import { missingTool } from '../../support/needs.ts';
import { runTool } from '../../support/run-tool.ts';

const rows = Array.from({ length: 200 }, (_, i) => `1.3.6.1.2.1.2.2.1.10.${i + 1}|65|${i}`);
const recording = parseRecording(['1.3.6.1.2.1.1.5.0|4|a device', ...rows].join('\n'));
const users = [
  { name: 'open' },
  { name: 'signed', authProtocol: 'sha512', authPassphrase: 'a passphrase' },
  {
    name: 'sealed',
    authProtocol: 'sha',
    authPassphrase: 'a passphrase',
    privProtocol: 'des',
    privPassphrase: 'another passphrase',
  },
] as const;
const levels: Readonly<Record<string, readonly string[]>> = {
  open: ['-l', 'noAuthNoPriv'],
  signed: ['-l', 'authNoPriv', '-a', 'SHA-512', '-A', 'a passphrase'],
  sealed: ['-l', 'authPriv', '-a', 'SHA', '-A', 'a passphrase', '-x', 'DES', '-X', 'another passphrase'],
};

describe('replay agent over SNMPv3', { skip: missingTool('snmpget') }, () => {
  for (const user of Object.keys(levels)) {
    it(`answers the user ${user} at its level, in any context`, async () => {
      await using agent = await startReplayAgent({ recording, users });
      const printed = await runTool('snmpget', [...as(user, agent, ['-n', 'vlan-7']), '1.3.6.1.2.1.1.5.0']);
      assert.equal(printed, '.1.3.6.1.2.1.1.5.0 = STRING: "a device"\n');
    });
  }

  it('rejects unknown users, wrong passphrases and levels that the user does not have', async () => {
    await using agent = await startReplayAgent({ recording, users });
    const get = (args: readonly string[]) => runTool('snmpget', [...args, '1.3.6.1.2.1.1.5.0']);
    await assert.rejects(get(as('nobody', agent, levels['open'])), /Unknown user name/);
    await assert.rejects(get(as('open', agent, levels['signed'])), /Unsupported security level/);
    const wrong = ['-l', 'authNoPriv', '-a', 'SHA-512', '-A', 'wrong passphrase'];
    await assert.rejects(get(as('signed', agent, wrong)), /Authentication failure/);
  });

  it('keeps encrypted replies within maxReplyBytes', async () => {
    for (const maxReplyBytes of [400, 700, 1472]) {
      await using agent = await startReplayAgent({ recording, users, knobs: { maxReplyBytes } });
      const arguments_ = [...as('sealed', agent), '-Lo', '-d', '-Cr100', '1.3.6.1.2.1.2.2.1.10'];
      const printed = await runTool('snmpbulkget', arguments_);
      const [, received] = Array.from(printed.matchAll(/Received (\d+) byte packet/g), ([, bytes]) =>
        Number(bytes),
      );
      assert.ok(
        received! <= maxReplyBytes && received! > maxReplyBytes - 120,
        `${received} of ${maxReplyBytes}`,
      );
    }
  });

  it('reports its engine id, its time, and one more boot after each reboot', async () => {
    let nowMs = 0;
    const engineId = Buffer.from('8000000001020304', 'hex');
    await using agent = await startReplayAgent({ recording, engineId, engineBoots: 41, clock: () => nowMs });
    nowMs = 90_500;
    assert.deepEqual(await discover(agent), { engineId, boots: 41, time: 90 });
    agent.reboot();
    nowMs += 5000;
    assert.deepEqual(await discover(agent), { engineId, boots: 42, time: 5 });
    agent.set({ hasBootsStuckAtZero: true });
    agent.reboot();
    assert.deepEqual(await discover(agent), { engineId, boots: 0, time: 0 });
  });

  it('gives every agent its own engine id by default', async () => {
    await using first = await startReplayAgent({ recording });
    await using second = await startReplayAgent({ recording });
    assert.notDeepEqual((await discover(first)).engineId, (await discover(second)).engineId);
  });

  it('answers snmpget again after a reboot', async () => {
    await using agent = await startReplayAgent({ recording, users });
    const get = () => runTool('snmpget', [...as('sealed', agent), '1.3.6.1.2.1.1.5.0']);
    await get();
    agent.reboot();
    assert.match(await get(), /a device/);
  });
});

function as(user: string, agent: ReplayAgent, extra: readonly string[] = []): string[] {
  const level = extra.includes('-l') ? [] : levels[user]!;
  return [
    '-v3',
    '-u',
    user,
    ...level,
    ...extra,
    '-On',
    '-r',
    '1',
    '-t',
    '2',
    `${agent.address}:${agent.port}`,
  ];
}

/** The Report that a request without engine id and user is answered with (RFC 3414 §4). */
async function discover(agent: ReplayAgent) {
  const socket = createSocket('udp4');
  socket.send(discovery, agent.port, agent.address);
  const [datagram] = (await once(socket, 'message')) as [Buffer];
  socket.close();
  const message = readV3Message(new BerReader(), datagram);
  assert.ok(typeof message !== 'string');
  const engineId = message.octets.subarray(message.engineIdStart, message.engineIdEnd);
  return { engineId: Buffer.from(engineId), boots: message.boots, time: message.time };
}

const discovery = Buffer.from(
  `303e020103 3011 020400000001 020300ffe3 040104 020103 0410 300e 0400 020100 020100 0400 0400 0400
   3014 0400 0400 a00e 020400000001 020100 020100 3000`.replace(/\s/g, ''),
  'hex',
);
