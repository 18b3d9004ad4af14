import { deepEqual, ok } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { ColumnFinder } from '../../plugins/snmp-traps/decoding/column-finder.ts';
import { NotificationDecoder } from '../../plugins/snmp-traps/decoding/notification-decoder.ts';
import { WireReader, writeNotification } from '../../plugins/snmp-traps/receiving/wire-form.ts';
import { summarizeTrap } from '../../plugins/snmp-traps/record/trap-record.ts';
import { parseNetwork } from '../../src/model/address-range.ts';
import {
  CommunityCodec,
  type Notification,
  NotificationReceiver,
  type Varbind,
} from '../../src/snmp/index.ts';
import { runToEnd } from '../../src/timing/slices.ts';
import { loadShippedDefinitions } from './shipped.ts';

const { compiled, raw } = loadShippedDefinitions();
const notifications = [...compiled.notifications.values()];

/** What a varbind of each kind of syntax may hold. */
function valueFor(syntax: string): Pick<Varbind, 'type' | 'value'> {
  if (/String|Text|Octet|Name/.test(syntax) && !/NumberInText/.test(syntax))
    return { type: 'OctetString', value: Buffer.from('text') } as never;
  if (/Mac|Phys/.test(syntax)) return { type: 'OctetString', value: Buffer.alloc(6, 1) } as never;
  if (syntax === 'DateAndTime')
    return { type: 'OctetString', value: Buffer.from('07e80101000000 00'.replace(' ', ''), 'hex') } as never;
  if (/IpAddress/.test(syntax)) return { type: 'IpAddress', value: '192.0.2.1' } as never;
  if (/ObjectIdentifier/.test(syntax)) return { type: 'ObjectIdentifier', value: '1.3.6.1.4.1.9' } as never;
  if (/^Counter64/.test(syntax)) return { type: 'Counter64', value: 7n } as never;
  return { type: 'Integer32', value: 1 } as never;
}

/** NET-SNMP-AGENT-MIB counts as one: its agent is everywhere. */
function isStandard({ oid }: { readonly oid: string }): boolean {
  return !oid.startsWith('1.3.6.1.4.1.') || oid.startsWith('1.3.6.1.4.1.8072.');
}

/** An instance of a table with this index. */
function instanceOf(index: readonly { readonly type: string }[]): string {
  if (index.length === 0) return '0';
  return index
    .map(({ type }) => (/Ip/.test(type) ? '192.0.2.1' : /String|Octet|Inet/.test(type) ? '1.65' : '1'))
    .join('.');
}

const reviewPath = new URL('reviewed-notifications.json', import.meta.url);

describe('the shipped notifications', () => {
  const received: Notification[] = [];
  const receiver = new NotificationReceiver({
    rights: {
      senders: [
        { name: 'all', from: [parseNetwork('192.0.2.0/24')!], versions: ['2c'], communities: ['public'] },
      ],
    },
    limits: { sourceBurst: 1e6 },
    onNotification: (notification) => {
      received.push(notification);
      return 'accepted';
    },
    send: () => {},
  });
  const finder = runToEnd(ColumnFinder.build(compiled));
  const decoder = new NotificationDecoder(1, compiled, finder, {});
  const nobody = { hasObject: () => false, findLabels: () => undefined };

  it('are at least 120 of standards and 400 of vendors', () => {
    const vendors = notifications.filter((each) => !isStandard(each));
    ok(notifications.length - vendors.length >= 120, String(notifications.length - vendors.length));
    ok(vendors.length >= 400, String(vendors.length));
  });

  it('are found and decoded from a packet, with all their varbinds', () => {
    const syntaxes = new Map<string, string>();
    const instances = new Map<string, string>();
    for (const { attributes, index } of compiled.objects.values()) {
      for (const { column, syntax } of attributes.values()) {
        syntaxes.set(column, syntax);
        instances.set(column, instanceOf(index));
      }
      for (const { column, syntax } of index) {
        if (column === undefined) continue;
        instances.set(column, instanceOf(index));
        if (syntax !== undefined) syntaxes.set(column, syntax);
      }
    }
    const lost: string[] = [];
    const unnamed: string[] = [];
    const codec = new CommunityCodec();
    for (const { id, oid, isPrefix, varbinds, attributes } of notifications) {
      const own = new Map([...attributes.values()].map(({ column, syntax }) => [column, syntax]));
      const sent = isPrefix ? `${oid}.999999` : oid;
      const values = varbinds.map(({ column }) => {
        const syntax = own.get(column!) ?? syntaxes.get(column!);
        return {
          oid: `${column}.${instances.get(column!) ?? '1'}`,
          ...(syntax === undefined ? { type: 'Integer32', value: 1 } : valueFor(syntax)),
        };
      }) as Varbind[];
      received.length = 0;
      const head = [
        { oid: '1.3.6.1.2.1.1.3.0', type: 'TimeTicks', value: 1 },
        { oid: '1.3.6.1.6.3.1.1.4.1.0', type: 'ObjectIdentifier', value: sent },
      ] as const;
      const pdu = {
        type: 'TrapV2',
        requestId: 1,
        errorStatus: 0,
        errorIndex: 0,
        varbinds: [...head, ...values],
      } as const;
      const datagram = codec.encode({ version: '2c', community: Buffer.from('public'), pdu });
      receiver.receive(datagram, '192.0.2.1', 50_000);
      const [notification] = received;
      if (notification === undefined) {
        lost.push(`${id}: no packet`);
        continue;
      }
      const wire: Parameters<typeof writeNotification>[2] = [];
      writeNotification(notification, 1, wire);
      const arrived = new WireReader(wire).next();
      const decoded = decoder.decode(arrived, nobody);
      if (decoded.definition?.id !== id) lost.push(`${id}: found ${decoded.definition?.id}`);
      const { message = '' } = summarizeTrap('', arrived, decoded, { severities: {} });
      if (isStandard({ oid }) && message.includes('?')) unnamed.push(`${id}: ${message}`);
    }
    deepEqual(lost, []);
    deepEqual(unnamed, [], 'the messages of standard notifications name what they are about');
  });

  it('of standards are as they were last revised', () => {
    const current = Object.fromEntries(
      notifications.filter(isStandard).map(({ id }) => [
        id,
        createHash('sha256')
          .update(JSON.stringify(raw.notifications.get(id)))
          .digest('hex')
          .slice(0, 16),
      ]),
    );
    deepEqual(
      current,
      JSON.parse(readFileSync(reviewPath, 'utf8')),
      'Compare severity, message, identity, clears and aim with the text of the MIB, then write the digest that is shown.',
    );
  });

  it('aim at the row that an alarm names', () => {
    const { definition, pointed } = decoder.decode(
      {
        oid: '1.3.6.1.2.1.16.0.1',
        varbinds: [
          { oid: '1.3.6.1.2.1.16.3.1.1.1.5', type: 'Integer32', value: 5 },
          { oid: '1.3.6.1.2.1.16.3.1.1.3.5', type: 'ObjectIdentifier', value: '1.3.6.1.2.1.2.2.1.10.7' },
        ],
      } as never,
      { ...nobody, hasObject: (id) => id === 'IF-MIB::ifEntry' },
    );
    deepEqual(
      [definition?.id, pointed.map(({ object, instance }) => [object, instance])],
      ['RMON-MIB::risingAlarm', [['IF-MIB::ifEntry', '7']]],
    );
  });

  it('have a message, and an end where they have a beginning', () => {
    deepEqual(
      notifications.filter(({ message }) => message === undefined).map(({ id }) => id),
      [],
    );
    ok(notifications.filter(({ clears }) => clears.length > 0).length >= 80);
  });
});
