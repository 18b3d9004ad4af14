import { printRatio } from '../support/figure.ts';
import {
  buildGosnmp,
  makeWorkshop,
  measureEngine,
  measureProgram,
  startSecuredAgent,
} from '../support/processes.ts';

/** SNMPv3 authPriv (SHA-256, AES-128) against Waywiser's own v2c and gosnmp's v3, all from one replay agent. */
const [visits, inFlight] = [1_000, 10];
const workshop = makeWorkshop();
const agent = await startSecuredAgent();
try {
  const gosnmp = await measureProgram(buildGosnmp(workshop.folder), [
    'one',
    agent.port,
    visits,
    inFlight,
    'v3',
  ]);
  const walkUser = await measureEngine('walk-user', agent.port, visits, inFlight);
  const walkCommunity = await measureEngine('walk-community', agent.port, visits, inFlight);
  const pollUser = await measureEngine('poll-user', agent.port, visits, inFlight);
  const pollCommunity = await measureEngine('poll-community', agent.port, visits, inFlight);
  printRatio('snmp v3 walk', walkUser, 'own v2c walk', walkCommunity, 0.4);
  printRatio('snmp v3 walk', walkUser, "gosnmp's v3 BulkWalk", gosnmp, 1.5);
  printRatio('snmp v3 poll', pollUser, 'own v2c poll', pollCommunity, 0.4);
} finally {
  agent.process.disconnect();
  workshop.remove();
}
