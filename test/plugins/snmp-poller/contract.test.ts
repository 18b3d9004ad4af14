import { it } from 'node:test';
import poller from '../../../plugins/snmp-poller/index.ts';
import { checkPlugin } from '../../../src/testing/index.ts';

it('snmp-poller fulfils the plugin contract', async () => {
  const nothing = { devices: () => [], findInventory: () => undefined, current: { number: 1 } };
  await checkPlugin(poller, {
    needs: {
      definitions: nothing,
      registry: nothing,
      client: nothing,
      discovery: nothing,
      routes: { add: () => {} },
    },
  });
});
