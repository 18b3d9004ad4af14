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

/** usage: early-child DEFINITIONS FILE THREADS. Records what waits in the socket that it was started with. */
const [, , definitions = '', file = '', threads] = argv;
await startTestCollector({
  env: { C: 'public' },
  plugins: [
    { plugin: inlineLoader, options: { shipped: false, directories: [definitions] } },
    { plugin: registry },
    { plugin: client },
    { plugin: discovery },
    { plugin: httpRoutes },
    { plugin: poller },
    { plugin: ndjson, options: { file } },
    {
      plugin: snmpTraps,
      options: {
        listen: [{ socket: 'snmp-traps' }],
        threads: Number(threads),
        senders: [{ name: 'all', from: ['127.0.0.1'], versions: ['2c'], communities: ['${env:C}'] }],
      },
    },
  ],
});
console.log('ready');
