import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { until } from '../../support/until.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { noEtcd } from './support/etcd-server.ts';
import { Ending, TestFleet } from './support/start-fleet.ts';

describe('the readiness of a member', { skip: noEtcd }, () => {
  const ending = new Ending();
  after(() => ending.end());

  it('is not that of a collector that polls nothing, and such a member is alive', async () => {
    const fleet = await TestFleet.start(ending, 1);
    const folder = new DefinitionFolder(ending as never, { 'devices/all.yml': fleet.devices.toYaml() });
    const ask = async ({ url }: { url: string }, path: string) => {
      const response = await fetch(url + path);
      return `${response.status} ${await response.text()}`;
    };
    const cluster = { lease_seconds: 3, weight: 0 };
    const idle = await fleet.add('idle', { folder, cluster });
    await until(() => idle.fleet.members.has('idle'));
    assert.match(await ask(idle, '/readyz'), /^503 .*nobody asks the devices of 1024 of 1024 shards/);

    const working = await fleet.add('working', { folder, cluster: { ...cluster, weight: 1 } });
    await until(async () => (await ask(working, '/readyz')).startsWith('200'));
    await until(async () => (await ask(idle, '/readyz')).startsWith('200'));

    await fleet.etcd.stop();
    await until(async () => (await ask(working, '/readyz')).startsWith('503'));
    assert.match(await ask(working, '/readyz'), /this member owns no devices: the (store|lease)/);
    assert.match(await ask(working, '/livez'), /^200/);
    await fleet.etcd.begin();
    await until(async () => (await ask(working, '/readyz')).startsWith('200'));
  });
});
