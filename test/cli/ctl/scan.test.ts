import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../cli/ctl/connect.ts';
import { scanNetworks } from '../../../cli/ctl/scan.ts';
import networkDiscovery from '../../../plugins/network-discovery/index.ts';
import { startReplayAgent } from '../../../src/testing/index.ts';
import { startApi } from '../../plugins/http-api/support/api-stack.ts';
import { DefinitionFolder } from '../../plugins/support/definition-folder.ts';
import { printed } from '../support/printed.ts';

test('waywiser ctl scan shows what a scan found, or why it failed', async (t) => {
  await using agent = await startReplayAgent({
    recording: 'test/recordings/switch.snmprec',
    address: '127.0.21.1',
  });
  const folder = new DefinitionFolder(t, {
    'autodiscover/networks.yml': `office: { credentials: [{ version: 2c, community: public }], port: ${agent.port}, timeout: 500, networks: [127.0.21.0/30] }\n`,
  });
  const plugin = { plugin: networkDiscovery, options: { at_start: false, packets_per_second: 100 } };
  const { baseUrl } = await startApi(t, folder, { more: [plugin] });
  const client = connect({ url: baseUrl }, {});
  let code: number | undefined;
  const scan = (network?: string, options = {}) =>
    printed(t, async () => {
      code = await scanNetworks(client, network, options);
    });
  assert.match(
    await scan('office'),
    /^1 of 2 addresses of office answered in (\d+ ms|\d\.\d s): 1 new, 0 known\.$/,
  );
  assert.equal(code, 0);
  const again = JSON.parse(await scan(undefined, { json: true }));
  assert.deepEqual([again.answered, again.found], [1, 0]);
  assert.match(await scan(undefined, { wait: false }), /^A scan of 2 addresses has started\.$/);
  await assert.rejects(scan('ofice'), { code: 'SCAN_NETWORK_UNKNOWN', message: /office/ });

  const without = await startApi(t, folder);
  const other = connect({ url: without.baseUrl }, {});
  await assert.rejects(scanNetworks(other, undefined, {}), { code: 'CTL_SCAN_UNAVAILABLE' });
});
