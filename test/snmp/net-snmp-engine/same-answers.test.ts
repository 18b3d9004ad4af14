import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { AuthProtocolName, PrivProtocolName } from '../../../src/model/v3-protocols.ts';
import {
  createManager,
  createNetSnmpEngine,
  type Manager,
  type SnmpEngine,
  type SnmpSession,
  type Target,
  type Varbind,
} from '../../../src/snmp/index.ts';
import { startReplayAgent } from '../../../src/testing/index.ts';
import { missingShared, missingTool } from '../../support/needs.ts';
import { listSharedRecordings } from '../../support/shared-recordings.ts';
import { type Snmpd, startSnmpd } from '../../support/snmpd.ts';

const secrets = { authPassphrase: 'maplesyrup-auth', privPassphrase: 'maplesyrup-priv' } as const;
const users: readonly [AuthProtocolName, string, PrivProtocolName | undefined, string][] = [
  ['md5', 'MD5', undefined, ''],
  ['md5', 'MD5', 'aes256', 'AES-256'],
  ['sha', 'SHA', 'aes', 'AES'],
  ['sha', 'SHA', 'aes256c', 'AES256C'],
  ['sha256', 'SHA-256', 'aes', 'AES'],
  ['sha512', 'SHA-512', 'aes256', 'AES-256'],
];
const accounts = users.flatMap(([auth, authName, priv, privName]) => [
  `createUser ${auth}-${priv ?? 'none'} ${authName} ${secrets.authPassphrase} ${privName} ${priv ? secrets.privPassphrase : ''}`,
  `rouser ${auth}-${priv ?? 'none'} ${priv ? 'priv' : 'auth'}`,
]);

/** Objects that do not change between two walks. */
const roots = [
  '1.3.6.1.2.1.1.1',
  '1.3.6.1.2.1.1.5',
  '1.3.6.1.2.1.1.9',
  '1.3.6.1.6.3.10.2.1.1',
  '1.3.6.1.6.3.11',
];

describe('the two engines', () => {
  let ours: Manager;
  let theirs: SnmpEngine;

  before(async () => {
    ours = createManager();
    theirs = await createNetSnmpEngine();
  });
  after(() => {
    ours.close();
    theirs.close();
  });

  async function assertSame(target: Target, ask: (session: SnmpSession) => Promise<Varbind[]>) {
    const sessions = [ours.open(target), theirs.open(target)] as const;
    const [expected, actual] = [await ask(sessions[0]), await ask(sessions[1])];
    assert.ok(expected.length > 0);
    assert.deepEqual(plain(actual), plain(expected));
    for (const session of sessions) session.close();
  }

  describe('at a real snmpd', { skip: missingTool('snmpd') }, () => {
    let agent: Snmpd;
    before(async () => {
      agent = await startSnmpd(['rocommunity public', 'sysName both of you', ...accounts]);
    });
    after(() => agent[Symbol.asyncDispose]());

    const targets: readonly (() => Target)[] = [
      () => ({ ...at(agent), version: '1', community: 'public' }),
      () => ({ ...at(agent), version: '2c', community: 'public' }),
      ...users.map(([authProtocol, , privProtocol]) => (): Target => {
        const name = `${authProtocol}-${privProtocol ?? 'none'}`;
        return { ...at(agent), version: '3', user: { name, authProtocol, privProtocol, ...secrets } };
      }),
    ];
    const titles = [
      'v1',
      'v2c',
      ...users.map(([auth, , priv]) => `v3 with ${auth} and ${priv ?? 'no priv'}`),
    ];

    targets.forEach((target, i) => {
      it(`get the same over ${titles[i]}`, () =>
        assertSame(target(), (session) =>
          session.get(['1.3.6.1.2.1.1.5.0', '1.3.6.1.2.1.1.2.0', '1.3.6.1.9.9.0']),
        ));

      it(`get the same next varbinds over ${titles[i]}`, () =>
        assertSame(target(), (session) => session.getNext(['1.3.6.1.2.1.1.5', '1.3.6.1.2.1.1.1.0'])));

      it(`walk the same over ${titles[i]}`, () => assertSame(target(), (session) => walkAll(session, roots)));

      if (i === 0) return;
      it(`get the same by GETBULK over ${titles[i]}`, () =>
        assertSame(target(), (session) =>
          session.getBulk(['1.3.6.1.2.1.1.5', '1.3.6.1.2.1.1.9.1.2', '1.3.6.1.2.1.1.9.1.3'], {
            nonRepeaters: 1,
            maxRepetitions: 5,
          }),
        ));
    });
  });

  describe('at recorded devices', { skip: missingShared('recordings') }, () => {
    for (const recording of listSharedRecordings()) {
      it(`walk the same: ${basename(recording)}`, async () => {
        await using agent = await startReplayAgent({ recording });
        await assertSame({ ...at(agent), version: '2c', community: 'public' }, (session) =>
          walkAll(session, ['1.3.6.1']),
        );
      });
    }
  });
});

function at({ port }: { readonly port: number }) {
  return { address: '127.0.0.1', port, timeoutMs: 2000, retries: 1 };
}

async function walkAll(session: SnmpSession, subtrees: readonly string[]): Promise<Varbind[]> {
  const all: Varbind[] = [];
  for (const root of subtrees) {
    const walk = session.walk(root, { maxVarbinds: 2_000_000 });
    for await (const varbinds of walk) all.push(...varbinds);
    assert.deepEqual(walk.outcome.partial, []);
    assert.ok(walk.outcome.requests > 0);
  }
  return all;
}

/** Octets as text and counters as strings, so that differences are readable. */
function plain(varbinds: readonly Varbind[]): string[] {
  return varbinds.map(({ oid, type, value }) => {
    return `${oid} ${type} ${Buffer.isBuffer(value) ? value.toString('hex') : String(value)}`;
  });
}
