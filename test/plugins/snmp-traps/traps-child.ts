import { argv } from 'node:process';
import registry from '../../../plugins/device-registry/index.ts';
import httpRoutes from '../../../plugins/http-routes/index.ts';
import ndjson from '../../../plugins/outputs/ndjson/index.ts';
import client from '../../../plugins/snmp-client/index.ts';
import discovery from '../../../plugins/snmp-discovery/index.ts';
import poller from '../../../plugins/snmp-poller/index.ts';
import snmpTraps from '../../../plugins/snmp-traps/index.ts';
import { startTestCollector } from '../../../src/testing/index.ts';
import { inlineLoader } from '../support/inline-loader.ts';

/** usage: traps-child STATE DEFINITIONS FILE PORT accepted|synced. Records notifications behind a disk queue, until it is killed. */
const [, , stateDirectory = '', definitions = '', file = '', port, acknowledge] = argv;
await startTestCollector({
  stateDirectory,
  env: { C: 'public', P: 'passphrase-of-ops' },
  plugins: [
    { plugin: inlineLoader, options: { shipped: false, directories: [definitions] } },
    { plugin: registry },
    { plugin: client },
    { plugin: discovery },
    { plugin: httpRoutes },
    { plugin: poller },
    { plugin: ndjson, options: { file, queue: 'disk' } },
    {
      plugin: snmpTraps,
      options: {
        informs: { acknowledge },
        listen: [{ address: '127.0.0.1', port: Number(port) }],
        senders: [{ name: 'all', from: ['127.0.0.0/8'], versions: ['2c', '3'], communities: ['${env:C}'] }],
        users: [
          { username: 'ops', authentication_protocol: 'sha256', authentication_passphrase: '${env:P}' },
        ],
        limits: { source_per_second: 100_000, source_burst: 100_000 },
      },
    },
  ],
});
process.send?.('ready');
