import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Oid } from '../../../src/index.ts';
import type { CommunityMessage } from '../../../src/snmp/codec/community-message.ts';
import type { Varbind } from '../../../src/snmp/codec/snmp-value.ts';
import {
  answer,
  number,
  type Reply,
  type ScriptedAgent,
  startScriptedAgent,
  text,
} from '../../snmp/support/scripted-agent.ts';
import { serveTable } from '../../snmp/support/table-agent.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { startDiscovery } from './discovery-stack.ts';

/** A table of each of 40 vendors is defined, and a device has every other one. */
const vendors = Array.from({ length: 40 }, (_, i) => 63_000 + i);
const entryOf = (vendor: number) => `1.3.6.1.4.1.${vendor}.1.1`;
const objects = vendors.map(
  (vendor) =>
    `V-MIB::v${vendor}: { index: [{ type: Integer, name: v${vendor}, syntax: IntegerAsID }], attributes: { a: { oid: ${entryOf(vendor)}.2, name: v${vendor}.a, syntax: Gauge32 }, b: { oid: ${entryOf(vendor)}.3, name: v${vendor}.b, syntax: Gauge32 } } }\n`,
);
const had = vendors.filter((vendor) => vendor % 2 === 0);
const rows = (value: (oid: Oid) => Varbind): Varbind[] => [
  text('1.3.6.1.2.1.1.1.0', 'a device'),
  { oid: '1.3.6.1.2.1.1.3.0', type: 'TimeTicks', value: 100 },
  ...had.flatMap((vendor) =>
    [2, 3].flatMap((column) => [1, 2].map((row) => value(`${entryOf(vendor)}.${column}.${row}`))),
  ),
];
const honest = rows((oid) => number(oid, 7));
const all = ['system', ...had.map((vendor) => `v${vendor}`)];
const allBut = (vendor: number) => all.filter((id) => id !== `v${vendor}`);

const isNext = ({ pdu }: CommunityMessage) => pdu.type === 'GetNextRequest';
const asked = ({ pdu }: CommunityMessage) => pdu.varbinds.map(({ oid }) => oid);
const failWith = (request: CommunityMessage, errorStatus: number, errorIndex: number) =>
  answer(request, request.pdu.varbinds, { errorStatus, errorIndex });
const silent = `1.3.6.1.4.1.${had[3]}`;

interface Kind {
  readonly version?: string;
  /** Undefined: as an honest device answers. */
  readonly answers: (request: CommunityMessage, count: number) => readonly Reply[] | undefined;
  readonly collects: readonly string[];
  /** What the inventory says about an object that is not collected. */
  readonly silent?: string;
}

const everyNext = (replyTo: (request: CommunityMessage) => Buffer): Kind['answers'] => {
  return (request) => (isNext(request) ? [replyTo(request)] : undefined);
};
const sameFor = (oid: Oid) =>
  everyNext((request) =>
    answer(
      request,
      asked(request).map(() => number(oid, 1)),
    ),
  );

const kinds: Readonly<Record<string, Kind>> = {
  'answers as it should': { answers: () => undefined, collects: all },
  'answers each root far outside of it': { answers: sameFor('1.3.6.1.6.3.99.1.0'), collects: [] },
  'answers each root with an OID before it': { answers: sameFor('1.3.6.1.2.1.1.1.0'), collects: ['system'] },
  'answers each root with the root itself': {
    answers: everyNext((request) =>
      answer(
        request,
        asked(request).map((oid) => number(oid, 1)),
      ),
    ),
    collects: [],
  },
  'says at once that its MIB ends': {
    answers: everyNext((request) =>
      answer(
        request,
        asked(request).map((oid): Varbind => ({ oid, type: 'endOfMibView', value: null })),
      ),
    ),
    collects: [],
  },
  'answers tooBig for more than five OIDs': {
    answers: (request) => (asked(request).length > 5 ? [failWith(request, 1, 0)] : undefined),
    collects: all,
  },
  'answers tooBig for every GETNEXT': {
    answers: everyNext((request) => failWith(request, 1, 0)),
    collects: [],
  },
  'answers genErr for one root': {
    answers: (request) => {
      const at = asked(request).findIndex((oid) => oid === silent || oid.startsWith(`${silent}.`));
      return at >= 0 ? [failWith(request, 5, at + 1)] : undefined;
    },
    collects: allBut(had[3]!),
    silent: `V-MIB::v${had[3]}`,
  },
  'answers genErr for everything, without an index': {
    answers: everyNext((request) => failWith(request, 5, 0)),
    collects: [],
  },
  'drops requests for more than ten OIDs': {
    answers: (request) => (asked(request).length > 10 ? [] : undefined),
    collects: all,
  },
  'answers every third GETNEXT with too few varbinds': {
    answers: (request, count) =>
      isNext(request) && count % 3 === 0 && asked(request).length > 1
        ? [answer(request, [number(`${silent}.1.1.2.1`, 7)])]
        : undefined,
    collects: all,
  },
  'sends text where numbers are defined': {
    answers: (request) => [
      serveTable(
        rows((oid) => text(oid, 'x')),
        request,
      ),
    ],
    collects: all,
  },
  'fills its replies up to 64 kB': {
    answers: (request) => [
      serveTable(
        rows((oid) => text(oid, 'x'.repeat(1_550))),
        request,
        40,
      ),
    ],
    collects: all,
  },
  'has values so long that a packet carries two': {
    answers: (request) => {
      if (asked(request).length > 2) return [failWith(request, 1, 0)];
      return [
        serveTable(
          rows((oid) => text(oid, 'x'.repeat(600))),
          request,
          2,
        ),
      ];
    },
    collects: all,
  },
  'fails whole packets of SNMPv1 with noSuchName': {
    version: '1',
    answers: (request) => {
      if (!isNext(request)) return undefined;
      const at = asked(request).findIndex((oid) => Number(oid.split('.')[6]) > had.at(-1)!);
      return at >= 0 ? [failWith(request, 2, at + 1)] : undefined;
    },
    collects: all,
  },
};

const names = Object.keys(kinds);
/** Far more than an honest device needs, far less than a packet for each object and column. */
const maxRequests = 120;

test('a device that is asked for roots and objects', async (t) => {
  const agents: ScriptedAgent[] = [];
  t.after(() => Promise.all(agents.map((agent) => agent[Symbol.asyncDispose]())));
  for (const name of names) {
    const { answers } = kinds[name]!;
    const script: typeof answers = (request, count) =>
      answers(request, count) ?? [serveTable(honest, request, 40)];
    agents.push(await startScriptedAgent((request, count) => script(request, count)!));
  }
  const folder = new DefinitionFolder(t, {
    'objects/vendors.yml': objects.join(''),
    'device_groups/groups.yml': 'auto: { objects: auto }\n',
  });
  const devices = names.map(
    (name, at) =>
      `d${at}: { ip: 127.0.0.1, port: ${agents[at]!.port}, version: ${kinds[name]!.version ?? '2c'}, communities: [public], timeout: 2000, retries: 0, device_groups: [auto] }\n`,
  );
  folder.write('devices/all.yml', devices.join(''));
  const { settle, discovery, device } = await startDiscovery(t, folder);
  await settle();
  for (const [at, name] of names.entries()) {
    await t.test(`gets the right inventory with few packets when it ${name}`, (t) => {
      const { collects, silent: object } = kinds[name]!;
      const inventory = discovery.findInventory(device(`d${at}`));
      const requests = agents[at]!.requests.length;
      t.diagnostic(`${requests} packets`);
      const ids = [...(inventory?.objects.keys() ?? [])].map((id) => id.split('::')[1]);
      assert.deepEqual(ids, collects);
      if (object !== undefined) assert.equal(inventory?.auto?.leftOut[object], 'silent');
      assert.ok(requests <= maxRequests, `${requests} packets`);
    });
  }
});
