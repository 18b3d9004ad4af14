import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SharedParts } from '../../../../plugins/definitions-loader/worker/shared-parts.ts';

const deviceOf = (ip: string, retries = 1) =>
  structuredClone({
    settings: { ip, version: '2c', communities: ['public'], tags: { site: 'north' }, retries },
    given: ['ip', 'communities'],
  });

describe('the parts that definitions share', () => {
  it('are the lists and tags of devices with equal ones', () => {
    const parts = new SharedParts();
    const [first, second] = [deviceOf('192.0.2.1'), deviceOf('192.0.2.2', 3)];
    for (const device of [first, second]) parts.share('devices', device);
    assert.equal(first.settings.communities, second.settings.communities);
    assert.equal(first.settings.tags, second.settings.tags);
    assert.equal(first.given, second.given);
    assert.deepEqual(second, deviceOf('192.0.2.2', 3));
  });

  it('are no lists that differ', () => {
    const parts = new SharedParts();
    const [first, second] = [deviceOf('192.0.2.1'), deviceOf('192.0.2.2')];
    second.settings.communities.push('other');
    for (const device of [first, second]) parts.share('devices', device);
    assert.deepEqual(first, deviceOf('192.0.2.1'));
    assert.deepEqual(second.settings.communities, ['public', 'other']);
  });

  it('leave all definitions as they were', () => {
    const objectOf = () => ({
      id: 'IF-MIB::ifEntry',
      attributes: new Map([['ifDescr', { name: 'ifDescr', field: 'netif.description', scale: undefined }]]),
      names: new Map([[1, 'up']]),
      index: [{ parts: ['a', 1, true, null] }],
    });
    const parts = new SharedParts();
    const [first, second] = [objectOf(), objectOf()];
    for (const object of [first, second]) parts.share('objects', object);
    assert.deepEqual(first, objectOf());
    assert.deepEqual(second, objectOf());
  });

  it('leave what is in use untouched', () => {
    const parts = new SharedParts();
    const inUse = deviceOf('192.0.2.1');
    Object.freeze(inUse.settings);
    Object.freeze(inUse);
    parts.share('devices', inUse);
    assert.deepEqual(inUse, deviceOf('192.0.2.1'));
  });
});
