import assert from 'node:assert/strict';
import { SaltSource } from '../../../src/snmp/usm/crypto/salt-source.ts';
import {
  AuthoritativeEngine,
  type SecuredRequest,
} from '../../../src/snmp/usm/engine/authoritative-engine.ts';
import { EngineTable } from '../../../src/snmp/usm/engine/engine-table.ts';
import type { SecurityOutcome, SecurityReport } from '../../../src/snmp/usm/manager/security-outcome.ts';
import { SecurityPeer } from '../../../src/snmp/usm/manager/security-peer.ts';
import { UserSecurity } from '../../../src/snmp/usm/manager/user-security.ts';
import type { SecurityFault } from '../../../src/snmp/usm/message/security-fault.ts';
import { MasterKeys } from '../../../src/snmp/usm/user/master-keys.ts';
import { prepareUser } from '../../../src/snmp/usm/user/security-user.ts';
import type { UserSettings } from '../../../src/snmp/usm/user/user-settings.ts';

export const masterKeys = new MasterKeys();
export const engineId = Buffer.from('80001f8804736563757265642d70616972', 'hex');
export const requestPdu = Buffer.from('a00e020101020100020100300306012b', 'hex');
export const responsePdu = Buffer.from('a20e020101020100020100300306012b', 'hex');

export const authPrivUser: UserSettings = {
  name: 'operator',
  authProtocol: 'sha256',
  authPassphrase: 'maplesyrup-auth',
  privProtocol: 'aes',
  privPassphrase: 'maplesyrup-priv',
};

/** A manager and an agent that communicate by method calls, on a clock that the test moves. */
export class SecuredPair {
  readonly engines = new EngineTable();
  readonly security = new UserSecurity(new SaltSource(Buffer.alloc(8, 1)));
  readonly address: string;
  nowMs = 0;
  boots = 1;
  time = 1000;
  peer: SecurityPeer;
  agent: AuthoritativeEngine;
  #nextId = 1;

  constructor(settings: UserSettings = authPrivUser, contextName = '', address = '192.0.2.1:161') {
    this.address = address;
    const user = prepareUser(settings, masterKeys);
    this.peer = new SecurityPeer({ address, user, contextName }, this.engines);
    this.agent = this.newAgent(settings);
  }

  newAgent(settings: UserSettings, id = engineId): AuthoritativeEngine {
    return new AuthoritativeEngine({
      engineId: id,
      users: [prepareUser(settings, masterKeys)],
      salts: new SaltSource(Buffer.alloc(8, 2)),
      clock: () => ({ boots: this.boots, time: this.time }),
    });
  }

  pass(seconds: number): void {
    this.nowMs += seconds * 1000;
    this.time += seconds;
  }

  /** Opens a datagram as the reply to the last request. */
  open(datagram: Buffer): SecurityOutcome | SecurityFault {
    const message = this.security.read(datagram);
    assert.ok(typeof message !== 'string', `unreadable: ${message}`);
    return this.security.open(this.peer, message, this.nowMs);
  }

  discover(): void {
    const received = this.agent.receive(this.security.sealDiscovery(this.#nextId++));
    assert.ok(received.kind === 'report');
    const report = this.openReport(received.reply);
    assert.equal(report.reason, 'unknownEngineIDs');
    assert.equal(this.security.learn(this.peer, report, this.nowMs), true);
  }

  openReport(datagram: Buffer): SecurityReport {
    const opened = this.open(datagram);
    assert.ok(typeof opened !== 'string' && opened.kind === 'report', `no report: ${JSON.stringify(opened)}`);
    return opened;
  }

  seal(): Buffer {
    const datagram = this.security.seal(this.peer, this.#nextId++, requestPdu, this.nowMs);
    assert.ok(datagram !== undefined, 'no engine is known');
    return datagram;
  }

  /** Sends a request that the agent must accept. */
  ask(): SecuredRequest {
    const received = this.agent.receive(this.seal());
    assert.ok(received.kind === 'request', `refused: ${JSON.stringify(received)}`);
    return received;
  }

  /** A complete exchange that must succeed; returns the agent's reply. */
  exchange(): Buffer {
    const reply = this.agent.respond(this.ask(), responsePdu);
    this.assertOpens(reply);
    return reply;
  }

  assertOpens(reply: Buffer): void {
    const opened = this.open(reply);
    assert.ok(typeof opened !== 'string' && opened.kind === 'response', `refused: ${JSON.stringify(opened)}`);
    assert.deepEqual(opened.octets.subarray(opened.start, opened.end), responsePdu);
  }

  /** An exchange with a request that is not timely: the manager learns from the Report and sends it again. */
  resynchronize(): SecurityReport {
    const received = this.agent.receive(this.seal());
    assert.ok(received.kind === 'report', `not reported: ${JSON.stringify(received)}`);
    const report = this.openReport(received.reply);
    assert.equal(this.security.learn(this.peer, report, this.nowMs), true);
    return report;
  }
}
