import { equal, match } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findAutoReason } from '../../../plugins/snmp-poller/explain/auto-reason.ts';
import { compileDefinitions } from '../../../src/definitions/compiler/compile-definitions.ts';
import type { RawObject } from '../../../src/definitions/schema/raw-definitions.ts';
import { AutoCatalog } from '../../../src/definitions/selection/auto-catalog.ts';
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
      silent: scalar('1.3.6.1.4.1.63000.4'),
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
    leftOut: { replaced: 'replaced by collected', expensive: 'budget' },
  },
};

const wish = { isAuto: true, named: new Set<string>(), without: new Set(['unwanted']) };
const reasonFor = (id: string) =>
  findAutoReason(definitions.objects.get(id)!, 'd', wish, inventory, {
    catalog: new AutoCatalog(definitions.objects),
  });

describe('why a device with `objects: auto` does not collect an object', () => {
  for (const [id, sentence] of Object.entries({
    replaced: /"d" answers replaced, but collected has the same measurements/,
    expensive: /would exceed max_values_per_minute or max_packets_per_minute/,
    silent: /"d" answers below 1\.3\.6\.1\.4\.1\.63000, but nothing of silent/,
    heavy: /heavy is collected on request only/,
    unwanted: /leaves unwanted out \(`without`\)/,
    foreign: /"d" answers nothing below 1\.3\.6\.1\.4\.1\.64000/,
  })) {
    it(`is told: ${id}`, () => match(reasonFor(id) ?? '', sentence));
  }

  it('is not told for one that it collects', () => equal(reasonFor('collected'), undefined));
});
