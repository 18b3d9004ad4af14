import { deepEqual, equal, match } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findNotCollected } from '../../../plugins/snmp-poller/explain/not-collected.ts';
import { compileDefinitions } from '../../../src/definitions/compiler/compile-definitions.ts';
import type { RawObject } from '../../../src/definitions/schema/raw-definitions.ts';
import { AutoCatalog } from '../../../src/definitions/selection/auto-catalog.ts';
import { RootReasons } from '../../../src/definitions/selection/root-reasons.ts';
import type { Inventory } from '../../../src/index.ts';
import { rawSet } from '../../definitions/compiler/raw-set.ts';

const scalar = (oid: string, keys: Partial<RawObject> = {}): RawObject => ({
  attributes: { value: { oid, syntax: 'Gauge32' } },
  ...keys,
});

const { definitions } = compileDefinitions(
  rawSet({
    objects: {
      collected: scalar('1.3.6.1.4.1.63000.1'),
      replaced: scalar('1.3.6.1.4.1.63000.2'),
      expensive: scalar('1.3.6.1.4.1.63000.3'),
      unanswered: scalar('1.3.6.1.4.1.63000.4'),
      silent: scalar('1.3.6.1.4.1.63000.7'),
      empty: scalar('1.3.6.1.4.1.63000.8'),
      cut: scalar('1.3.6.1.4.1.63000.9'),
      below: scalar('1.3.6.1.4.1.65000.1'),
      heavy: scalar('1.3.6.1.4.1.63000.5', { collect: 'on_request' }),
      unwanted: scalar('1.3.6.1.4.1.63000.6'),
      foreign: scalar('1.3.6.1.4.1.64000.1'),
    },
  }),
);

const inventory: Inventory = {
  version: 1,
  discoveredMs: 0,
  generation: 1,
  sysObjectId: undefined,
  sysUpTime: undefined,
  address: '127.0.0.1',
  credential: 0,
  deviceGroups: ['auto'],
  objects: new Map([['collected', { hash: '', instances: ['0'], overriding: {} }]]),
  auto: {
    roots: ['1.3.6.1.4.1.63000'],
    uncollected: [],
    leftOut: {
      replaced: 'replaced by collected',
      expensive: 'budget',
      silent: 'silent',
      empty: 'no_rows',
      cut: 'cut',
    },
    silentRoots: ['1.3.6.1.4.1.65000'],
  },
};

const wish = { isAuto: true, named: new Set<string>(), without: new Set(['unwanted']) };
const catalog = new AutoCatalog(definitions.objects);
const reasonFor = (id: string, number = 1) =>
  findNotCollected(definitions.objects.get(id)!, 'd', wish, inventory, { catalog, number });

describe('why a device with `objects: auto` does not collect an object', () => {
  for (const [id, why, sentence] of [
    ['replaced', 'replaced', /"d" answers replaced, but collected has the same measurements/],
    ['expensive', 'budget', /would exceed max_values_per_minute or max_packets_per_minute/],
    ['cut', 'cut', /its discovery reached a limit before all of it was read/],
    ['silent', 'silent', /gave no answer that can be used when it was asked for silent/],
    ['below', 'silent', /gave no answer that can be used when it was asked for below/],
    ['empty', 'no_rows', /answers a column of empty, but has no row/],
    ['unanswered', 'not_answered', /"d" answers below 1\.3\.6\.1\.4\.1\.63000, but nothing of unanswered\.$/],
    ['heavy', 'on_request', /heavy is collected on request only/],
    ['unwanted', 'without', /leaves unwanted out \(`without`\)/],
    ['foreign', 'not_answered', /"d" answers nothing below 1\.3\.6\.1\.4\.1\.64000/],
  ] as const) {
    it(`is told: ${id}`, () => {
      const found = reasonFor(id);
      equal(found?.why, why);
      match(found?.sentence ?? '', sentence);
    });
  }

  it('is not told for one that it collects', () => equal(reasonFor('collected'), undefined));

  it('says that the device was not asked since the definitions changed', () => {
    match(reasonFor('unanswered', 2)?.sentence ?? '', /rediscover it to ask again\.$/);
    match(reasonFor('heavy', 2)?.sentence ?? '', /names it\.$/);
  });

  it('is told of a list that does not name it', () => {
    const { auto: _, ...listed } = inventory;
    const lists = { isAuto: false, named: new Set(['collected', 'unanswered']), without: new Set<string>() };
    const find = (id: string) =>
      findNotCollected(definitions.objects.get(id)!, 'd', lists, listed, { catalog, number: 1 });
    equal(find('heavy')?.why, 'not_in_group');
    // Only a discovery can tell.
    equal(find('unanswered'), undefined);
  });
});

describe('why nothing below a root is collected', () => {
  const explain = (uncollected: readonly string[]) =>
    new RootReasons(catalog, () => wish).explain({ ...inventory.auto!, uncollected }, ['auto']);

  it('is told in the order of the table of reasons, or that nothing is defined there', () => {
    deepEqual(explain(['1.3.6.1.4.1.63000', '1.3.6.1.4.1.65000', '1.3.6.1.4.1.66000', '1.3.6.1.4.1.64000']), [
      {
        root: '1.3.6.1.4.1.63000',
        why: ['budget', 'replaced', 'cut', 'silent', 'no_rows', 'without', 'on_request', 'not_answered'],
      },
      { root: '1.3.6.1.4.1.65000', why: ['silent'] },
      { root: '1.3.6.1.4.1.66000', why: ['no_definition'] },
      { root: '1.3.6.1.4.1.64000', why: ['not_answered'] },
    ]);
  });

  it('differs between devices of the same groups that left out different objects', () => {
    const reasons = new RootReasons(catalog, () => wish);
    const found = (leftOut: Record<string, string>) =>
      reasons.explain({ roots: [], uncollected: ['1.3.6.1.4.1.64000'], leftOut }, ['auto'])[0]?.why;
    deepEqual(found({ foreign: 'budget' }), ['budget']);
    deepEqual(found({}), ['not_answered']);
    deepEqual(found({ foreign: 'silent' }), ['silent']);
  });
});
