import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SecurityPeer } from '../../../../src/snmp/usm/manager/security-peer.ts';
import { prepareUser } from '../../../../src/snmp/usm/user/security-user.ts';
import { authPrivUser, engineId, masterKeys, responsePdu, SecuredPair } from '../secured-pair.ts';

describe('a changed engine', () => {
  it('is followed after a restart, by one signed Report', () => {
    const pair = readyPair();
    pair.boots = 2;
    pair.time = 3;
    const report = pair.resynchronize();
    assert.equal(report.reason, 'notInTimeWindows');
    assert.equal(report.isAuthenticated, true);
    pair.exchange();
    assert.deepEqual(pair.engines.findings(), []);
  });

  it('is followed after it lost its boots, and a finding reports it', () => {
    const pair = readyPair();
    pair.boots = 5;
    pair.resynchronize();
    pair.exchange();
    pair.boots = 1;
    pair.time = 10;
    pair.resynchronize();
    pair.exchange();
    assert.deepEqual(codesOf(pair), ['engine-boots-decreased']);
  });

  it('is followed after a restart with boots stuck at zero, and a finding reports it', () => {
    const pair = new SecuredPair();
    pair.boots = 0;
    pair.discover();
    pair.exchange();
    pair.time = 5;
    pair.resynchronize();
    pair.exchange();
    assert.deepEqual(codesOf(pair), ['engine-boots-stuck']);
  });

  it('is discovered again when its engine ID changes', () => {
    const pair = readyPair();
    pair.agent = pair.newAgent(authPrivUser, Buffer.from('80001f88046f74686572', 'hex'));
    const report = pair.resynchronize();
    assert.equal(report.reason, 'unknownEngineIDs');
    assert.equal(report.isAuthenticated, false);
    pair.exchange();
  });

  it('may omit boots and time in a discovery', () => {
    const pair = new SecuredPair();
    pair.boots = 0;
    pair.time = 0;
    pair.discover();
    pair.boots = 7;
    pair.time = 100_000;
    pair.resynchronize();
    pair.exchange();
    assert.deepEqual(pair.engines.findings(), []);
  });
});

describe('a forged Report', () => {
  it('with another engine ID does not hide the correct reply', () => {
    const pair = readyPair();
    const reply = pair.agent.respond(pair.ask(), responsePdu);
    learnForged(pair, { reason: 'unknownEngineIDs', engineId: Buffer.from('8000000001', 'hex') });
    pair.assertOpens(reply);
    pair.exchange();
  });

  it('with boots far ahead does not hide the correct reply', () => {
    const pair = readyPair();
    const reply = pair.agent.respond(pair.ask(), responsePdu);
    learnForged(pair, { reason: 'notInTimeWindows', engineId, boots: 0x7ffffffe });
    pair.assertOpens(reply);
    pair.exchange();
    assert.deepEqual(pair.engines.findings(), []);
  });

  it('is forgotten when no reply authenticates it', () => {
    const pair = readyPair();
    learnForged(pair, { reason: 'unknownEngineIDs', engineId: Buffer.from('8000000001', 'hex') });
    assert.equal(pair.agent.receive(pair.seal()).kind, 'report');
    pair.pass(16);
    pair.exchange();
  });

  it('with the largest possible boots does not lock out the engine permanently', () => {
    const pair = new SecuredPair();
    learnForged(pair, { reason: 'unknownEngineIDs', engineId, boots: 0x7fffffff });
    pair.resynchronize();
    pair.exchange();
  });

  it('with any other reason changes nothing', () => {
    const pair = readyPair();
    for (const reason of ['wrongDigests', 'unknownUserNames', 'unsupportedSecLevels', 'other'] as const) {
      const report = { kind: 'report', reason, isAuthenticated: false, engineId, boots: 9, time: 9 } as const;
      assert.equal(pair.security.learn(pair.peer, report, pair.nowMs), false);
    }
    pair.exchange();
  });
});

describe('the state of engines', () => {
  it('makes a discovery unnecessary after a restart of the manager', () => {
    const before = readyPair();
    const state = before.engines.exportState(before.nowMs, 1_000_000);
    assert.equal(JSON.stringify(state).includes('maplesyrup'), false);
    assert.deepEqual(Object.keys(state[0]!), ['address', 'engineId', 'boots', 'startedAtMs']);

    const after = new SecuredPair();
    after.time = before.time + 3600;
    after.nowMs = 77;
    after.engines.restoreState(JSON.parse(JSON.stringify(state)), after.nowMs, 1_000_000 + 3_600_000);
    after.peer = new SecurityPeer(
      { address: after.address, user: prepareUser(authPrivUser, masterKeys) },
      after.engines,
    );
    after.exchange();
  });

  it('is shared by the users of one address', () => {
    const pair = readyPair();
    pair.peer = new SecurityPeer(
      { address: pair.address, user: prepareUser(authPrivUser, masterKeys) },
      pair.engines,
    );
    pair.exchange();
  });
});

function readyPair(): SecuredPair {
  const pair = new SecuredPair();
  pair.discover();
  pair.exchange();
  return pair;
}

function codesOf(pair: SecuredPair): string[] {
  return pair.engines.findings().map((finding) => finding.code);
}

function learnForged(
  pair: SecuredPair,
  forged: { reason: 'unknownEngineIDs' | 'notInTimeWindows'; engineId: Buffer; boots?: number },
): void {
  const report = { kind: 'report', isAuthenticated: false, boots: 1, time: 1, ...forged } as const;
  assert.equal(pair.security.learn(pair.peer, report, pair.nowMs), true);
}
