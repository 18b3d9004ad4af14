import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { networkFile, startAgents } from './office-network.ts';
import { startScanning } from './scan-stack.ts';

describe('found devices', { concurrency: 2 }, () => {
  it('exist immediately after a restart, and are kept or removed when they are silent', async (t) => {
    const net = '127.0.9';
    const { port, agents } = await startAgents(t, net, {
      1: { community: 'canary-first' },
      2: { community: 'canary-first' },
    });
    const folder = new DefinitionFolder(t, {
      'autodiscover/networks.yml': networkFile(port, `${net}.0/29`),
    });
    const stateDirectory = temporaryFolder(t);
    const first = await startScanning(t, folder, { stateDirectory });
    assert.equal((await first.waitForScan(1)).found, 2);
    await first.collector.stop();

    await agents[1]!.close();
    const second = await startScanning(t, folder, { stateDirectory });
    assert.equal(second.registry.size, 2, 'before any scan');
    const { answered, found, silent, removed } = await second.waitForScan(1);
    assert.deepEqual({ answered, found, silent, removed }, { answered: 1, found: 0, silent: 1, removed: 0 });
    assert.equal(second.registry.size, 2);
    assert.deepEqual(second.heard, []);
    await second.collector.stop();

    const third = await startScanning(t, folder, { stateDirectory, options: { remove_after_scans: 2 } });
    assert.equal((await third.waitForScan(1)).removed, 1);
    assert.deepEqual(third.heard, ['removed agent-2']);
    await third.collector.stop();

    await agents[0]!.close();
    const fourth = await startScanning(t, folder, { stateDirectory, options: { remove_after_scans: 1 } });
    const nobody = await fourth.waitForScan(1);
    assert.deepEqual(
      [nobody.silent, nobody.removed],
      [1, 0],
      'the fault may be on the side of the collector',
    );
    assert.equal(fourth.registry.size, 1);
  });

  it('are not counted as silent when there was no credential to ask with', async (t) => {
    const { port } = await startAgents(t, '127.0.17', {
      1: { community: 'public' },
      17: { community: 'canary-first' },
    });
    process.env['WAYWISER_TEST_SCAN'] = 'public';
    t.after(() => delete process.env['WAYWISER_TEST_SCAN']);
    const lab = `lab: { credentials: [{ version: 2c, community: '\${env:WAYWISER_TEST_SCAN}' }], port: ${port}, timeout: 600, networks: [127.0.17.1/32] }\n`;
    const networks = networkFile(port, '127.0.17.17/32') + lab;
    const folder = new DefinitionFolder(t, { 'autodiscover/networks.yml': networks });
    const options = { remove_after_scans: 1 };
    const { registry, waitForScan, collector, apply } = await startScanning(t, folder, { options });
    assert.equal((await waitForScan(1)).found, 2);
    delete process.env['WAYWISER_TEST_SCAN'];
    folder.write('autodiscover/networks.yml', networks.replaceAll('timeout: 600', 'timeout: 601'));
    await apply();
    const { answered, silent } = await waitForScan(2);
    assert.deepEqual([answered, silent, registry.size], [1, 0, 2]);
    const codes = collector.logLines.map(({ code }) => code).filter(Boolean);
    assert.deepEqual(codes, ['SCAN_CREDENTIALS_UNUSABLE']);
  });
});
