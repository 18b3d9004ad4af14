// @ts-check
import { defineOutput, rowsOf } from 'waywiser';
import { api } from './api-address.js';
import { ValuesTable } from './values-table.js';

/** The poll interval of the demonstration: within it, every device is polled once. */
const everyMs = 5_000;

const title = `
The first values: the busiest interface of each device, and one other value:
`;

/** What `ctl` needs to find a collector at another address. */
const usualAddress = 'http://127.0.0.1:8080';

const listCommands = () => {
  const { address } = api;
  const setAddress = address === usualAddress ? '' : `  export WAYWISER_URL=${address}\n`;
  /** @param {string} command */
  const explained = (command, text = '') => `  ${command.padEnd(63)} ${text}`.trimEnd();
  return `
The collector goes on polling. Now try, in another terminal:

${setAddress}${explained('npm run -s waywiser -- ctl status', 'how it is doing')}
${explained('npm run -s waywiser -- ctl poll switch-1', 'all values of a device, polled now')}
${explained('npm run -s waywiser -- ctl device switch-2', 'one device: state, inventory, polling, settings')}
${explained(`curl ${address}/api/v1/snmp/devices`, 'which devices are up, which are not, and why')}
${explained(`curl ${address}/api/v1/snmp/metrics`, 'the latest values, for Prometheus')}
${explained(`curl -N ${address}/api/v1/events`, 'events, as they happen')}
${explained(`curl -X POST '${address}/api/v1/snmp/apply-definitions?force_rediscovery=true'`)}
${explained('', 'after you edited examples/demo/definitions')}
${explained(`curl -X POST '${address}/api/v1/snmp/rediscover-device?wait=true' \\`)}
${explained(`     -H 'content-type: application/json' -d '{"ip":"127.0.0.1","port":16101}'`)}
${explained(`${address}/docs`, 'every route of the API, in a browser')}

Ctrl-C stops it.
`;
};

export default defineOutput({
  name: 'demo-values',
  summary: 'Prints the first values as one table, and then what to try next.',
  rates: true,
  open() {
    const table = new ValuesTable();
    let firstRateMs = Number.POSITIVE_INFINITY;
    let isPrinted = false;
    return {
      async write(batches) {
        if (isPrinted) return;
        for (const batch of batches) {
          table.add(batch.device.name, rowsOf(batch));
          if (table.hasTraffic) firstRateMs = Math.min(firstRateMs, batch.timeMs);
          // A rate takes two polls. One interval after the first rate, the other devices have theirs.
          isPrinted ||= batch.timeMs >= firstRateMs + everyMs;
        }
        if (!isPrinted) return;
        const width = process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY;
        console.log(`${title}\n${table.format(width)}\n${listCommands()}`);
      },
    };
  },
});
