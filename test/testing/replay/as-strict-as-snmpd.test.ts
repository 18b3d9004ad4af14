import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { after, before, describe, it } from 'node:test';
import { createManager } from '../../../src/snmp/index.ts';
import { V3Codec } from '../../../src/snmp/usm/message/v3-codec.ts';
import { MasterKeys } from '../../../src/snmp/usm/user/master-keys.ts';
import { localizeUser, prepareUser } from '../../../src/snmp/usm/user/security-user.ts';
import type { UserSettings } from '../../../src/snmp/usm/user/user-settings.ts';
import { parseRecording, type ReplayAgent, startReplayAgent } from '../../../src/testing/index.ts';
import { missingTool } from '../../support/needs.ts';
import { type Snmpd, startSnmpd } from '../../support/snmpd.ts';
import { element, integer } from './hostile/ber.ts';
import { type Corpus, communityRequests, pdu } from './hostile/community-requests.ts';
import { type Account, securedRequests } from './hostile/secured-requests.ts';

const engineId = Buffer.from('80001f88046d616c666f726d6564', 'hex');
const sealed: UserSettings = {
  name: 'operator',
  authProtocol: 'sha256',
  authPassphrase: 'maplesyrup-auth',
  privProtocol: 'aes',
  privPassphrase: 'maplesyrup-priv',
};
const keys = localizeUser(prepareUser(sealed, new MasterKeys()), engineId) as Account['keys'];
const lines = [
  'rocommunity public',
  'sysName a device',
  'sysContact someone',
  'sysLocation here',
  'maxGetbulkResponses 2048',
  `exactEngineID 0x${engineId.toString('hex')}`,
  'createUser nobody',
  'rouser nobody noauth',
  'createUser operator SHA-256 maplesyrup-auth AES maplesyrup-priv',
  'rouser operator auth',
];
/** Those whose values do not change. */
const modules = ['system_mib', 'sysORTable', 'vacm_context', 'vacm_vars', 'vacm_conf', 'usmConf'];

describe('the replay agent and a real snmpd', { skip: missingTool('snmpd') }, () => {
  let snmpd: Snmpd;
  let replayed: ReplayAgent;

  before(async () => {
    snmpd = await startSnmpd(lines, modules);
    replayed = await startReplayAgent({
      recording: parseRecording(await record(snmpd.port)),
      users: [{ name: 'nobody' }, sealed],
      engineId,
      knobs: { maxReplyBytes: 65_507 },
    });
  });
  after(async () => {
    await replayed.close();
    await snmpd[Symbol.asyncDispose]();
  });

  it('answer the same malformed requests of v1 and v2c in the same way, or not at all', async () => {
    await compare(communityRequests, (reply) => reply.toString('hex'));
  });

  it('answer the same malformed requests of v3 in the same way, or not at all', async () => {
    await compare(securedRequests({ engineId, open: 'nobody', sealed: sealed.name, keys }), showSecured);
  });

  async function compare(corpus: Corpus, show: (reply: Buffer) => string): Promise<void> {
    const [real, own] = await Promise.all([
      exchangeAll(snmpd.port, corpus),
      exchangeAll(replayed.port, corpus),
    ]);
    const shown = (replies: readonly Buffer[]) => replies.map(show).join(' and ') || 'silence';
    const describeAll = (all: ReadonlyMap<string, readonly Buffer[]>) =>
      [...all].map(([title, replies]) => `${title}: ${shown(replies)}`);
    const answered = [...real.values()].filter((replies) => replies.length > 0).length;
    assert.ok(answered > 200 && real.size - answered > 200, `${answered} of ${real.size} answered`);
    assert.deepEqual(describeAll(own), describeAll(real));
  }
});

async function record(port: number): Promise<string> {
  const manager = createManager();
  const session = manager.open({ address: '127.0.0.1', port, version: '2c', community: 'public' });
  const recorded: string[] = [];
  for await (const varbinds of session.walk('1.3.6.1')) {
    for (const { oid, type, value } of varbinds) {
      const tag = { OctetString: '4x', ObjectIdentifier: '6', TimeTicks: '67', Integer32: '2' }[
        type as string
      ];
      assert.ok(tag !== undefined, `${oid} has the type ${type}`);
      recorded.push(`${oid}|${tag}|${Buffer.isBuffer(value) ? value.toString('hex') : value}`);
    }
  }
  manager.close();
  return recorded.join('\n');
}

/** What comes back for each datagram. A correct request follows each one: its reply shows that nothing more will come. */
async function exchangeAll(port: number, corpus: Corpus): Promise<Map<string, readonly Buffer[]>> {
  const socket = createSocket('udp4');
  const all = new Map<string, readonly Buffer[]>();
  let last = 0x5a00_0000;
  try {
    for (const [title, datagram] of Object.entries(corpus)) {
      const id = integer(++last);
      const replies: Buffer[] = [];
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`No answer after "${title}".`)), 20_000);
        socket.removeAllListeners('message').on('message', (reply) => {
          if (!reply.includes(id)) {
            replies.push(reply);
            return;
          }
          clearTimeout(timer);
          resolve();
        });
        const community = element(0x04, Buffer.from('public'));
        socket.send(datagram, port, '127.0.0.1');
        socket.send(element(0x30, integer(1), community, pdu({ id })), port, '127.0.0.1');
      });
      all.set(title, replies);
    }
    return all;
  } finally {
    socket.close();
  }
}

const codec = new V3Codec();

/** Everything except clocks, salts and the counters in Reports. */
function showSecured(reply: Buffer): string {
  const message = codec.read(reply);
  if (typeof message === 'string') return reply.toString('hex');
  const scoped = codec.openScopedPdu(message, keys);
  if (typeof scoped === 'string') return `${scoped} ${reply.toString('hex')}`;
  const part = (octets: Buffer, start: number, end: number) => octets.subarray(start, end).toString('hex');
  const body = part(scoped.octets, scoped.pduStart, scoped.pduEnd);
  const isReport = body.startsWith('a8');
  if (isReport) codec.reader.open(scoped.octets, scoped.pduStart, scoped.pduEnd).enter(scoped.pduTag);
  const about = body.match(/060a2b06010603.{8}00/)?.[0];
  return JSON.stringify({
    messageId: message.messageId,
    flags: message.flags,
    model: message.securityModel,
    engine: part(message.octets, message.engineIdStart, message.engineIdEnd),
    user: part(message.octets, message.userStart, message.userEnd),
    mac: message.macEnd - message.macStart,
    salt: message.saltEnd - message.saltStart,
    contextEngine: part(scoped.octets, scoped.engineIdStart, scoped.engineIdEnd),
    context: part(scoped.octets, scoped.contextStart, scoped.contextEnd),
    ...(isReport ? { requestId: codec.reader.readInteger(0x02), about } : { body }),
  });
}
