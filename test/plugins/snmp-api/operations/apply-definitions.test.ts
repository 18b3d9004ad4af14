import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { changedInterfaces, startThreeSwitches } from '../../http-api/support/three-switches.ts';
import { type DefinitionFolder, smallDefinitions } from '../../support/definition-folder.ts';

const path = '/api/v1/snmp/apply-definitions';
const replaceIn = (folder: DefinitionFolder, file: string, text: string, by: string) =>
  folder.write(file, readFileSync(join(folder.path, file), 'utf8').replace(text, by));
const names = (devices: readonly { readonly name: string }[]) => devices.map(({ name }) => name).sort();

describe('POST /api/v1/snmp/apply-definitions', { concurrency: 2 }, () => {
  for (const query of ['', '?force_rediscovery=false']) {
    it(`rediscovers no device when related definitions change, with "${query}"`, async (t) => {
      const { folder, post, settle, heard, agents } = await startThreeSwitches(t);
      const requests = agents.map(({ counters }) => counters.requests);
      folder.write('objects/interfaces.yml', changedInterfaces);
      const { status, body } = await post(path + query);
      await settle();
      assert.equal(status, 200);
      assert.equal(body.changed, true);
      assert.equal(body.forceRediscovery, false);
      assert.equal(body.generation, body.previousGeneration + 1);
      assert.deepEqual(names(body.affectedDevices), ['a', 'b']);
      assert.deepEqual(body.rediscovering, []);
      assert.deepEqual(body.changes.objects.changed, ['IF-MIB::ifEntry', 'IF-MIB::ifXEntry']);
      assert.deepEqual(heard, []);
      assert.deepEqual(
        agents.map(({ counters }) => counters.requests),
        requests,
      );
    });
  }

  it('rediscovers exactly the devices whose objects change, with force', async (t) => {
    const { folder, post, settle, heard, agents } = await startThreeSwitches(t);
    folder.write('objects/interfaces.yml', changedInterfaces);
    const { status, body } = await post(`${path}?force_rediscovery=true`);
    assert.equal(status, 200);
    assert.deepEqual(names(body.rediscovering), ['a', 'b']);
    assert.deepEqual(
      body.rediscovering.find(({ name }: { name: string }) => name === 'a'),
      { name: 'a', ip: '127.0.0.1', port: agents[0]!.port },
    );
    await settle();
    assert.deepEqual(heard.sort(), ['a forced', 'b forced']);
  });

  it('rediscovers the devices whose object groups change, with force', async (t) => {
    const { folder, post, settle, heard } = await startThreeSwitches(t);
    const text = smallDefinitions['object_groups/groups.yml']!.replace(', IF-MIB::ifXEntry', '');
    folder.write('object_groups/groups.yml', text);
    const { body } = await post(`${path}?force_rediscovery=true`);
    await settle();
    assert.deepEqual(body.changes.objectGroups.changed, ['interfaces']);
    assert.deepEqual(heard.sort(), ['a forced', 'b forced']);
  });

  it('rediscovers no device when nothing or nothing related changes, with force', async (t) => {
    const { folder, post, settle, heard } = await startThreeSwitches(t);
    const same = await post(`${path}?force_rediscovery=true`);
    assert.equal(same.body.changed, false);
    assert.equal(same.body.generation, same.body.previousGeneration);
    folder.write('object_groups/more.yml', 'unused: { objects: [IF-MIB::ifEntry] }\n');
    const unrelated = await post(`${path}?force_rediscovery=true`);
    await settle();
    assert.equal(unrelated.body.changed, true);
    assert.deepEqual(unrelated.body.affectedDevices, []);
    assert.deepEqual(unrelated.body.rediscovering, []);
    assert.deepEqual(heard, []);
  });

  it('lists each device once, by its current name, also during its discovery', async (t) => {
    const { folder, post, settle, heard, agents } = await startThreeSwitches(t);
    agents[0]!.set({ delayMs: 100 });
    await post('/api/v1/snmp/rediscover-device', { ip: '127.0.0.1', port: agents[0]!.port });
    folder.write('objects/interfaces.yml', changedInterfaces);
    replaceIn(folder, 'devices/all.yml', 'b:', 'bee:');
    const { body } = await post(`${path}?force_rediscovery=true`);
    assert.deepEqual(names(body.affectedDevices), ['a', 'bee']);
    assert.deepEqual(names(body.rediscovering), ['a', 'bee']);
    await settle();
    assert.deepEqual(heard.sort(), ['a forced', 'a requested', 'bee forced']);
  });

  it('lists the devices with changed credentials as rediscovered, also without force', async (t) => {
    const { folder, post, settle, heard } = await startThreeSwitches(t);
    replaceIn(folder, 'devices/all.yml', '[public]', '[public, other]');
    const { body } = await post(path);
    assert.deepEqual(names(body.rediscovering), ['a']);
    await settle();
    assert.deepEqual(heard, ['a changed']);
  });

  it('answers 422 with every problem and its position, and keeps the current generation', async (t) => {
    const { folder, post } = await startThreeSwitches(t);
    const { body: before } = await post(path);
    folder.write(
      'object_groups/groups.yml',
      'system: { objects: [NO-MIB::thing] }\ninterfaces: { objects: 5 }\n',
    );
    const { status, type, body } = await post(`${path}?force_rediscovery=true`);
    assert.equal(status, 422);
    assert.match(type, /^application\/problem\+json/);
    assert.equal(body.code, 'HTTP_DEFINITIONS_INVALID');
    assert.ok(body.problems.length >= 2);
    for (const { file, line, column, rule, message } of body.problems) {
      assert.ok(file && line >= 1 && column >= 1 && rule && message);
    }
    folder.write('object_groups/groups.yml', smallDefinitions['object_groups/groups.yml']!);
    const { body: after } = await post(path);
    assert.equal(after.generation, before.generation);
    assert.equal(after.changed, false);
  });

  it('returns in a dry run what would change and its cost, and changes nothing', async (t) => {
    const { folder, post, settle, heard } = await startThreeSwitches(t);
    folder.write('objects/interfaces.yml', changedInterfaces);
    const { status, body } = await post(`${path}?force_rediscovery=true&dry_run=true`);
    await settle();
    assert.equal(status, 200);
    assert.equal(body.changed, true);
    assert.equal(body.generation, body.previousGeneration);
    assert.deepEqual(names(body.rediscovering), ['a', 'b']);
    assert.equal(body.cost.before.devices, 3);
    assert.equal(body.cost.before.series, 3 + 2 * 25, 'the discoveries found 25 interfaces on a and b');
    assert.ok(body.cost.after.packetsPerSecond > 0);
    assert.deepEqual(heard, []);
    const { body: real } = await post(path);
    assert.equal(real.changed, true);
    assert.equal(real.generation, body.generation + 1);
  });

  it('says in a dry run in which file and line each definition differs, and how', async (t) => {
    const { folder, post } = await startThreeSwitches(t);
    folder.write('objects/interfaces.yml', changedInterfaces);
    folder.write('object_groups/more.yml', '\nunused: { objects: [IF-MIB::ifEntry] }\n');
    replaceIn(folder, 'devices/all.yml', '[public]', '[public, other]');
    const { body } = await post(`${path}?dry_run=true`);
    const find = (kind: string, id: string) =>
      body.differences.find((each: { kind: string; id: string }) => each.kind === kind && each.id === id);
    assert.deepEqual(find('objects', 'IF-MIB::ifEntry'), {
      kind: 'objects',
      id: 'IF-MIB::ifEntry',
      how: 'changed',
      file: 'objects/interfaces.yml',
      line: 1,
      fields: [{ path: 'attributes.ifInOctets.field', before: 'netif.bytes.in', after: 'netif.octets.in' }],
    });
    assert.deepEqual(find('objectGroups', 'unused'), {
      kind: 'objectGroups',
      id: 'unused',
      how: 'added',
      file: 'object_groups/more.yml',
      line: 2,
      fields: [],
    });
    assert.deepEqual(find('devices', 'a').fields, [{ path: 'communities.1', before: '***', after: '***' }]);
    // Only through the objects in them.
    assert.deepEqual(find('objectGroups', 'interfaces').fields, []);
    assert.equal(body.differences.at(-1).fields.length, 0);
    const { body: real } = await post(path);
    assert.equal(real.differences, undefined);
  });

  it('lists changed notifications', async (t) => {
    const { folder, post } = await startThreeSwitches(t);
    folder.write('notifications/mine.yml', 'MY-MIB::myTrap: { oid: .1.3.6.1.4.1.99999.0.1 }\n');
    const { body } = await post(path);
    assert.deepEqual(body.changes.notifications, { added: ['MY-MIB::myTrap'], changed: [], removed: [] });
  });

  it('accepts true and false for its flags and rejects everything else', async (t) => {
    const { post } = await startThreeSwitches(t);
    const wrong = ['1', '0', 'TRUE', 'True', 'yes', '', 'null', 'true%20', 'true&force_rediscovery=true'];
    for (const value of wrong) {
      const { status, type, body } = await post(`${path}?force_rediscovery=${value}`);
      assert.equal(status, 400, value);
      assert.match(type, /^application\/problem\+json/);
      assert.equal(body.code, 'HTTP_INPUT_INVALID');
    }
    for (const query of ['?force=true', '?dry_run=1', '?__proto__=true', '?constructor=true', '?a[b]=c']) {
      const { status } = await post(path + query);
      assert.equal(status, 400, query);
    }
    const { status } = await post(`${path}?force_rediscovery=true&dry_run=false`);
    assert.equal(status, 200);
  });

  it('accepts an empty body of any content type and rejects other bodies', async (t) => {
    const { call } = await startThreeSwitches(t);
    const types = [
      'application/json',
      'text/plain',
      'application/x-www-form-urlencoded',
      'image/png',
      '',
      'a;/b',
    ];
    for (const type of types) {
      const empty = await call('POST', path, { headers: { 'content-type': type } });
      assert.equal(empty.status, 200, type);
      const full = await call('POST', path, {
        headers: { 'content-type': type },
        body: 'force_rediscovery=true',
      });
      assert.equal(full.status, 400, type);
      assert.equal(full.body.code, 'HTTP_BODY_UNEXPECTED');
    }
  });

  it('answers other requests while definitions are applied', async (t) => {
    const { folder, post, call } = await startThreeSwitches(t);
    const applies = Array.from({ length: 10 }, async (_, i) => {
      folder.write('objects/interfaces.yml', changedInterfaces.replaceAll('octets', `octets${i}`));
      return post(`${path}?force_rediscovery=${i % 2 === 0}`);
    });
    const others = Array.from({ length: 50 }, () => call('GET', '/nothing'));
    for (const { status } of await Promise.all(applies)) assert.equal(status, 200);
    for (const { status } of await Promise.all(others)) assert.equal(status, 404);
  });
});
