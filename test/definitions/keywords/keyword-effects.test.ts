import { deepEqual, equal, notDeepEqual, notEqual } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compilePlans } from '../../../plugins/snmp-poller/plan/compile-plan.ts';
import { compileDefinitions } from '../../../src/definitions/compiler/compile-definitions.ts';
import { attributeKeywords } from '../../../src/definitions/keywords/attribute-keywords.ts';
import type { indexKeywords } from '../../../src/definitions/keywords/index-keywords.ts';
import { objectKeywords } from '../../../src/definitions/keywords/object-keywords.ts';
import type { RawAttribute, RawObject } from '../../../src/definitions/schema/raw-definitions.ts';
import { runToEnd } from '../../../src/timing/slices.ts';
import { rawSet } from '../compiler/raw-set.ts';

type RawIndexPart = NonNullable<RawObject['index']>[number];

/** For each keyword a value that the base set does not have. The types demand one for every keyword. */
const attributeValues: { readonly [Key in keyof typeof attributeKeywords]: RawAttribute[Key] } = {
  oid: '.1.3.6.1.4.1.63000.1.1.9',
  name: 'port.other',
  syntax: 'DisplayString',
  metric: 'gauge',
  tag: true,
  at: [1],
  rediscover: 'OnChange',
  overrides: { object: 'T-MIB::entry', attribute: 'level' },
  scale: { prefix: 'prefix' },
  sensor: { class: 'temperature', name: '{index}' },
  missing: [-1],
  state_as: 'set',
  description: 'Another text',
  unit: 'packets',
};

/** What an attribute must have so that it may have the keyword. */
const neededBy: Readonly<Record<string, Partial<RawAttribute>>> = {
  scale: { metric: 'gauge' },
  at: { tag: true },
};

const objectValues: { readonly [Key in keyof typeof objectKeywords]: RawObject[Key] } = {
  mib: 'OTHER-MIB',
  object: 'otherEntry',
  type: 'slow',
  record: 'processor',
  labels: { 'processor.name': 'CPU {index}' },
  augments: 'T-MIB::base',
  index: [{ type: 'Integer', name: 'port', syntax: 'IntegerAsID' }],
  discovery_attribute: 'level',
  rows: { where: { level: { except: [0] } } },
  collect: 'on_request',
  cost: 'large',
  replaces: ['T-MIB::base'],
  attributes: { level: { oid: '.1.3.6.1.4.1.63000.1.1.3', syntax: 'Integer' } },
};

const indexValues: { readonly [Key in keyof typeof indexKeywords]: RawIndexPart[Key] } = {
  type: 'IpAddress',
  oid: '.1.3.6.1.4.1.63000.1.1.1',
  name: 'port.number',
  syntax: 'IntegerAsID',
  column: 'portIndex',
};

const entry: RawObject = {
  mib: 'T-MIB',
  object: 'entry',
  type: 'dynamic',
  index: [{ type: 'Integer', name: 'port', syntax: 'InterfaceIndex' }],
  attributes: {
    value: { oid: '.1.3.6.1.4.1.63000.1.1.2', name: 'port.value', syntax: 'Gauge32' },
    level: { oid: '.1.3.6.1.4.1.63000.1.1.3', name: 'port.level', syntax: 'Gauge32' },
    prefix: { oid: '.1.3.6.1.4.1.63000.1.1.4', name: 'port.prefix', syntax: 'Integer' },
  },
};

/** What an object is compiled to: the object itself, and the plans by which a device is polled. */
function compile(changed: RawObject) {
  const { definitions, problems } = compileDefinitions(
    rawSet({
      objectTypes: { dynamic: { poll_interval: 60 }, slow: { poll_interval: 300 } },
      objects: {
        'T-MIB::base': {
          index: [{ type: 'Integer', name: 'base', syntax: 'Integer' }],
          attributes: { state: { oid: '.1.3.6.1.4.1.63000.2.1.2', name: 'port.state', syntax: 'Integer' } },
        },
        'T-MIB::entry': changed,
      },
    }),
  );
  deepEqual(
    problems.filter(({ level }) => level === 'error'),
    [],
  );
  const object = definitions.objects.get('T-MIB::entry')!;
  const { hash, ...compiled } = object;
  const known = { hash, instances: ['1', '2'], overriding: { value: true } } as const;
  const everyMs = definitions.everyMsByType.get(object.type ?? '') ?? 60_000;
  const shape = {
    key: '',
    dialect: { version: '1', community: 'c' },
    maxOids: undefined,
    objects: [{ object, known, everyMs }],
  } as const;
  // Without functions, of which each plan has its own, and without the descriptions, which are only shown.
  const polled = (key: string, value: unknown) => (key === 'description' ? undefined : value);
  const plans = JSON.stringify(runToEnd(compilePlans(shape, definitions)), polled);
  return { hash, compiled, plans };
}

describe('a keyword', () => {
  const base = compile(entry);

  for (const [key, { affects }] of Object.entries(attributeKeywords)) {
    const given = { [key]: attributeValues[key as keyof typeof attributeValues] };
    const needed = neededBy[key];
    const value = { ...entry.attributes['value']!, ...needed };
    const before = needed === undefined ? base : compile(withValue(value));
    const after = compile(withValue({ ...value, ...given }));

    if (affects === 'display') {
      it(`“${key}” of an attribute changes what is shown and nothing that is polled`, () => {
        notDeepEqual(after.compiled, before.compiled);
        deepEqual([after.hash, after.plans], [before.hash, before.plans]);
      });
    } else {
      it(`“${key}” of an attribute changes the poll plan and the hash`, () => {
        notEqual(after.plans, before.plans);
        notEqual(after.hash, before.hash);
      });
    }
  }

  for (const [key, { affects }] of Object.entries(objectKeywords)) {
    const { index: _, ...withoutIndex } = entry;
    const rest = key === 'augments' ? withoutIndex : entry;
    const after = compile({ ...rest, [key]: objectValues[key as keyof typeof objectValues] });
    const isShown = affects === 'display';

    it(`“${key}” of an object changes ${isShown ? 'nothing that is polled' : 'the compiled object and the hash'}`, () => {
      if (isShown) deepEqual([after.hash, after.plans], [base.hash, base.plans]);
      else {
        notDeepEqual(after.compiled, base.compiled);
        notEqual(after.hash, base.hash);
      }
    });
  }

  for (const [key, value] of Object.entries(indexValues)) {
    it(`“${key}” of an index part changes the compiled index and the hash`, () => {
      const after = compile({ ...entry, index: [{ ...entry.index![0]!, [key]: value }] });
      equal(after.compiled.index.length, 1);
      notDeepEqual(after.compiled.index, base.compiled.index);
      notEqual(after.hash, base.hash);
    });
  }
});

function withValue(value: RawAttribute): RawObject {
  return { ...entry, attributes: { ...entry.attributes, value } };
}
