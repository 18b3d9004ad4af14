import { performance } from 'node:perf_hooks';
import { authProtocols } from '../../src/model/v3-protocols.ts';
import { deriveMasterKey } from '../../src/snmp/usm/crypto/key-derivation.ts';
import { SaltSource } from '../../src/snmp/usm/crypto/salt-source.ts';
import { EngineTable } from '../../src/snmp/usm/engine/engine-table.ts';
import { SecurityPeer } from '../../src/snmp/usm/manager/security-peer.ts';
import { UserSecurity } from '../../src/snmp/usm/manager/user-security.ts';
import { MasterKeys } from '../../src/snmp/usm/user/master-keys.ts';
import { prepareUser } from '../../src/snmp/usm/user/security-user.ts';
import { printFigure } from '../support/figure.ts';
import { benchUser } from './bench-user.ts';

/** How long keys block the event loop: for one passphrase, and for the discovery of many engines with the same user. */
for (const [name, auth] of Object.entries(authProtocols)) {
  const tookMs = timeOf(() => deriveMasterKey(auth, Buffer.from('maplesyrup')));
  printFigure(`snmp master key of ${name}`, { ms: round(tookMs), goalMs: 5, reached: tookMs < 5 });
}

const engines = 10_000;
const security = new UserSecurity(new SaltSource(Buffer.alloc(8)));
const table = new EngineTable();
const user = prepareUser(benchUser, new MasterKeys());
const peers = Array.from(
  { length: engines },
  (_, i) => new SecurityPeer({ address: String(i), user }, table),
);
let totalMs = 0;
let longestMs = 0;
for (const [i, peer] of peers.entries()) {
  const engineId = Buffer.from(`80001f8804${i.toString(16).padStart(8, '0')}`, 'hex');
  const tookMs = timeOf(() =>
    security.learn(
      peer,
      { kind: 'report', reason: 'unknownEngineIDs', isAuthenticated: false, engineId, boots: 1, time: 1 },
      0,
    ),
  );
  totalMs += tookMs;
  longestMs = Math.max(longestMs, tookMs);
}
printFigure(`snmp ${engines} engines localized`, { ms: round(totalMs), goalMs: 150, reached: totalMs < 150 });
printFigure('snmp longest localization', { ms: round(longestMs), goalMs: 20, reached: longestMs < 20 });

function timeOf(work: () => void): number {
  const startedMs = performance.now();
  work();
  return performance.now() - startedMs;
}

function round(ms: number): number {
  return Number(ms.toFixed(2));
}
