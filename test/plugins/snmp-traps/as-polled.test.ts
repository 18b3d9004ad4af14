import { deepEqual, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { ColumnFinder } from '../../../plugins/snmp-traps/decoding/column-finder.ts';
import { NotificationDecoder } from '../../../plugins/snmp-traps/decoding/notification-decoder.ts';
import type { ReceivedVarbind } from '../../../plugins/snmp-traps/receiving/wire-form.ts';
import { decodeOid } from '../../../src/snmp/codec/oid-bytes.ts';
import { startReplayAgent } from '../../../src/testing/index.ts';
import { runToEnd } from '../../../src/timing/index.ts';
import { shippedDirectory } from '../../shipped/shipped.ts';
import { onlyLong } from '../../support/long-run.ts';
import { startPolling } from '../snmp-poller/support/poller-stack.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';

/** Rows of a table that are looked at: all have the same columns. */
const maxRows = 3;
const recordings = ['host', 'printer', 'rack-sensors', 'router', 'switch', 'ups'];

/** What `explain` shows of a value, as the varbind that came. */
function asReceived(oid: string, raw: { readonly type: string; readonly value: string }): ReceivedVarbind {
  const octets = Buffer.from(raw.value, 'hex');
  const type = (raw.type === 'Integer' ? 'Integer32' : raw.type) as ReceivedVarbind['type'];
  switch (type) {
    case 'OctetString':
    case 'Opaque':
      return { oid, type, value: octets.toString('latin1') };
    case 'ObjectIdentifier':
      return { oid, type, value: decodeOid(octets, 0, octets.length)! };
    case 'IpAddress':
      return { oid, type, value: octets.join('.') };
    case 'Counter64':
      return { oid, type, value: BigInt(raw.value) };
    default:
      return { oid, type, value: Number(raw.value) };
  }
}

describe('a shipped notification', {
  skip: onlyLong,
}, () => {
  it('has the fields, names, units and labels that a poll and explain show of the same values', {
    timeout: 120_000,
  }, async (test) => {
    const folder = new DefinitionFolder(test, {}, shippedDirectory);
    folder.write('device_groups/all.yml', 'all: { objects: auto }\n');
    const devices: string[] = [];
    for (const name of recordings) {
      const agent = await startReplayAgent({ recording: `test/recordings/${name}.snmprec` });
      test.after(() => agent.close());
      devices.push(`${name}: { ip: 127.0.0.1, port: ${agent.port}, version: 2c, communities: [public] }\n`);
    }
    folder.write('defaults/device.yml', 'default: { timeout: 10000, device_groups: [all] }\n');
    folder.write('devices/recorded.yml', devices.join(''));
    const { definitions, device, discovered, discovery, poll, poller } = await startPolling(test, folder, {
      poller: { counters: { rate: false } },
      discovery: { starts_per_second: 1000 },
    });
    await discovered();
    const { sections } = definitions.current;
    const columns = runToEnd(ColumnFinder.build(sections));
    const decoder = new NotificationDecoder(1, sections, columns, poller.decodeOptions);
    let compared = 0;
    const shown: unknown[] = [];
    const expected: unknown[] = [];
    for (const name of recordings) {
      await poll(name);
      const polled = device(name);
      const inventory = discovery.findInventory(polled)!;
      const knowledge = {
        hasObject: (id: string) => inventory.objects.has(id),
        findLabels: (table: string, instance: string) => poller.findLabels(polled, table, instance),
      };
      for (const { id, oid, varbinds } of sections.notifications.values()) {
        for (const { column } of varbinds) {
          const found = columns.find(`${column}.0`, undefined, knowledge.hasObject);
          if (found?.object === undefined || found.attribute === undefined) continue;
          const { object, attribute } = found;
          const [attributeId] = [...object.attributes].find(([, each]) => each === attribute) ?? [];
          for (const instance of inventory.objects.get(object.id)?.instances.slice(0, maxRows) ?? []) {
            const { reading, definition } = poller.explain(polled, {
              object: object.id,
              instance,
              attribute: attributeId!,
            });
            // What other columns scale is kept as it came.
            if (reading?.raw === undefined || definition.decoding.scaledBy.length > 0) continue;
            const decoded = decoder.decode(
              { oid, varbinds: [asReceived(reading.oid, reading.raw)] } as never,
              knowledge,
            );
            const [row] = decoded.rows;
            for (const { field, isLabel, unit, value } of reading.fields) {
              if (value === undefined || value === '') continue;
              compared++;
              const place = `${name}: ${id} ${object.id}.${instance} ${field}`;
              const own = isLabel ? row!.labels[field] : row!.values[field];
              shown.push([place, own, isLabel ? undefined : decoded.declarations[field]?.unit]);
              expected.push([place, isLabel ? String(value) : value, isLabel ? undefined : unit]);
            }
            if (object.index.length === 0) continue;
            const labels = poller.findLabels(polled, object.table, instance) ?? {};
            shown.push([name, id, instance, { ...row!.labels, ...labels }]);
            expected.push([name, id, instance, row!.labels]);
          }
        }
      }
    }
    const differing = shown.findIndex((each, i) => !isDeepStrictEqual(each, expected[i]));
    deepEqual(shown[differing], expected[differing]);
    ok(compared >= 500, String(compared));
    test.diagnostic(`${compared} values`);
  });
});
