import { argv, cpuUsage } from 'node:process';
import { startCollector } from '../poller/start-collector.ts';
import { importBuilt } from '../support/built-code.ts';

/** usage: collector-child FOLDER. Runs the built collector with page and history. It sends its address, and its CPU seconds whenever it gets a message. */
const { httpApiToken } = await importBuilt<typeof import('../../plugins/http-api/service.ts')>(
  'plugins/http-api/service.ts',
);
// All clients of the bench have one address.
const limits = { requests_per_second: 1_000_000, loop_delay_ms: 60_000 };
const more = { history: {}, 'web-page': {}, 'http-api': { port: 0, limits } };
const collector = await startCollector(argv[2]!, {}, more);
process.send!(collector.getService(httpApiToken).baseUrl);
process.on('message', () => {
  const { user, system } = cpuUsage();
  process.send!((user + system) / 1e6);
});
