import assert from 'node:assert/strict';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { DefinitionReader } from '../../../plugins/definitions-loader/reading/definition-reader.ts';
import {
  contentKey,
  PreparedDefinitions,
} from '../../../plugins/definitions-loader/reading/prepared-definitions.ts';
import {
  type CheckedSet,
  ContentChecker,
  checkSet,
  createCheckMemory,
  type DefinitionKind,
  type ReadFiles,
} from '../../../src/definitions/index.ts';
import type { RawObject } from '../../../src/definitions/schema/raw-definitions.ts';
import { shippedDefinitions } from '../../../src/own-package.ts';
import { DefinitionDirectory } from './support/definition-directory.ts';

/** The path of a file that ships. */
const shipped = join(realpathSync(shippedDefinitions()), 'any.yml');
const noSecrets = { env: {}, directory: undefined };

type Entries = Readonly<Partial<Record<DefinitionKind, Readonly<Record<string, unknown>>>>>;

const column = (number: number, more: object = {}) => ({
  oid: `.1.3.6.1.4.1.32473.1.1.${number}`,
  syntax: 'Gauge32',
  metric: 'gauge',
  ...more,
});

const ownDefinitions: Readonly<Record<string, Entries>> = {
  'an object of its own': { objects: { 'X::y': { attributes: { a: column(1, { name: 'x.a' }) } } } },
  'an object that augments and overrides one that ships': {
    objects: {
      'X::y': {
        augments: 'IF-MIB::ifEntry',
        attributes: {
          a: column(1, {
            name: 'netif.in.octets',
            overrides: { object: 'IF-MIB::ifEntry', attribute: 'ifInOctets' },
          }),
        },
      },
    },
  },
  'an object that replaces one that ships': {
    objects: { 'X::y': { replaces: ['VRRPV3-MIB::vrrpv3OperationsEntry'], attributes: { a: column(1) } } },
  },
  'an object in the place of one that others augment': {
    objects: { 'IF-MIB::ifEntry': { attributes: { ifIndex: column(1), ifInOctets: column(2) } } },
  },
  'a circle with an object that ships': {
    objects: {
      'IF-MIB::ifEntry': { augments: 'IEEE8023-LAG-MIB::dot3adAggPortEntry', attributes: { a: column(1) } },
    },
  },
  'an enum in the place of one that ships': {
    integerEnums: { '.1.3.6.1.2.1.2.2.1.8': { 1: 'yes', 2: 'no' } },
  },
  'an enum that nobody needs': { integerEnums: { '.1.3.6.1.4.1.32473.2': { 1: 'up' } } },
  'a name of an OID': { oidEnums: { '.1.3.6.1.4.1.32473.3': 'box' } },
  'a notification, and columns that notifications name': {
    notifications: { 'X::z': { oid: '.1.3.6.1.4.1.32473.0.1', varbinds: ['ifIndex', 'ifAdminStatus'] } },
    objects: { 'IF-MIB::y': { attributes: { ifAdminStatus: column(1, { name: 'x.a' }) } } },
  },
};

describe('what the build wrote down of the definitions that ship', () => {
  let read: ReadFiles;
  before(() => {
    read = new DefinitionReader().read({ shipped: shippedDefinitions(), directories: [] });
  });

  it('is what each file is read and checked as', () => {
    assert.ok(read.files.length > 500, `${read.files.length} files`);
    const written = new PreparedDefinitions();
    const checker = new ContentChecker();
    for (const { name, content } of read.files) {
      const { kind, text } = content;
      const found = written.contentOf(shipped, kind, contentKey(kind, Buffer.from(text)), text);
      assert.ok(found, `${name} is missing. Run npm run build.`);
      assert.deepEqual(found, checker.check(kind, text).content, name);
    }
  });

  it('is what the objects, notifications and enums compile to', () => {
    const { taken } = compileBothWays(read);
    assert.ok(taken.compiled.objects.size > 2_000);
    assert.equal(countTaken(read, taken), taken.compiled.objects.size);
  });

  it('is not used for a file elsewhere, with other content, or of another kind', () => {
    const { kind, text } = read.files.find(({ content }) => content.kind === 'objects')!.content;
    const written = new PreparedDefinitions();
    const key = contentKey(kind, Buffer.from(text));
    const other = contentKey(kind, Buffer.from(`${text}\n`));
    assert.ok(written.contentOf(shipped, kind, key, text));
    assert.equal(written.contentOf('/elsewhere/file.yml', kind, key, text), undefined);
    assert.equal(written.contentOf(shipped, kind, other, text), undefined);
    assert.equal(
      written.contentOf(shipped, 'objectGroups', contentKey('objectGroups', Buffer.from(text)), text),
      undefined,
    );
  });

  for (const [what, own] of Object.entries(ownDefinitions)) {
    it(`makes the same set as without it, beside ${what}`, () => {
      const { taken } = compileBothWays(withOwn(read, own));
      assert.ok(countTaken(read, taken) > 1_500, `${countTaken(read, taken)} objects were taken`);
    });
  }

  it('makes the same set as without it, beside other intervals, which are a part of every hash', () => {
    const { taken } = compileBothWays(withOwn(read, { objectTypes: { dynamic: { poll_interval: 7 } } }));
    const entry = taken.compiled.objects.get('IF-MIB::ifEntry')!;
    const { hash, ...others } = read.compiledBefore!.compiled.objects.get('IF-MIB::ifEntry')!;
    assert.notEqual(entry.hash, hash);
    assert.equal(entry.attributes, others.attributes);
  });

  it('makes the same set as without it, where a file that ships is gone', () => {
    for (const part of ['if-mib', 'object_types']) {
      const files = read.files.filter(({ name }) => !name.includes(`/${part}.`));
      assert.ok(files.length < read.files.length, part);
      compileBothWays({ ...read, files });
    }
  });

  for (let seed = 1; seed <= 3; seed++) {
    it(`makes the same set as without it, beside random changes, seed ${seed}`, () => {
      compileBothWays(withOwn(read, changeAtRandom(read, seed)));
    });
  }

  it('is the same value from one check to the next, beside own definitions too', () => {
    const memory = createCheckMemory();
    const types = { objectTypes: { dynamic: { poll_interval: 7 } } };
    const [first, second] = [1, 2].map(() => checkSet(withOwn(read, types), noSecrets, memory).compiled);
    for (const [id, object] of first!.objects) assert.equal(second!.objects.get(id), object);
  });

  it('is used beside groups and devices of your own, and stays the same value when they change', () => {
    using directory = new DefinitionDirectory({
      'devices/own.yml': 'a: {ip: 127.0.0.1, device_groups: [own]}\n',
      'device_groups/own.yml': 'own: {object_groups: [standard]}\n',
    });
    const sources = { shipped: shippedDefinitions(), directories: [directory.path] };
    const reader = new DefinitionReader();
    const { compiledBefore } = reader.read(sources);
    assert.ok(compiledBefore);
    directory.write({ 'devices/own.yml': 'b: {ip: 127.0.0.1, device_groups: [own]}\n' });
    assert.equal(reader.read(sources).compiledBefore, compiledBefore);
  });
});

function withOwn(read: ReadFiles, own: Entries): ReadFiles {
  const checker = new ContentChecker();
  const files = Object.entries(own).map(([kind, entries]) => {
    const { content } = checker.check(kind as DefinitionKind, JSON.stringify(entries, undefined, 1));
    const errors = content.problems.filter(({ level }) => level === 'error');
    assert.deepEqual(errors, []);
    return { name: `own/${kind}.yml`, rootIndex: 1, content };
  });
  return { ...read, files: [...read.files, ...files] };
}

/** Compiles with and without what the build wrote down, and compares. */
function compileBothWays(read: ReadFiles): { readonly taken: CheckedSet } {
  assert.ok(read.compiledBefore, 'Nothing was taken from the build.');
  const { compiledBefore: _, ...files } = read;
  const [taken, compiled] = [checkSet(read, noSecrets), checkSet(files, noSecrets)];
  assert.deepEqual(taken.problems, compiled.problems);
  for (const part of ['objects', 'notifications', 'enums'] as const) {
    assert.deepEqual([...taken.compiled[part].keys()], [...compiled.compiled[part].keys()]);
  }
  assert.deepEqual(taken.compiled, compiled.compiled);
  return { taken };
}

/** How many objects are the very values that the build wrote down. */
function countTaken(read: ReadFiles, { compiled }: CheckedSet): number {
  const before = read.compiledBefore!.compiled.objects;
  return [...compiled.objects].filter(([id, object]) => before.get(id) === object).length;
}

/** Some objects and enums that ship, each with a part of another one or without a part of its own. */
function changeAtRandom({ files }: ReadFiles, seed: number): Entries {
  let state = seed;
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)]!;
  const entriesOf = (wanted: DefinitionKind) =>
    files.flatMap(({ content: { kind, entries } }) => (kind === wanted ? [...entries] : []));
  const [objects, enums, notifications] = [
    entriesOf('objects') as [string, RawObject][],
    entriesOf('integerEnums'),
    entriesOf('notifications'),
  ];
  const change = (): [string, unknown] => {
    const [id, object] = pick(objects);
    const [other, { attributes }] = pick(objects);
    const [name, attribute] = pick(Object.entries(attributes));
    const { index: _, ...withoutIndex } = object;
    switch (below(5)) {
      case 0:
        return [id, { ...withoutIndex, augments: other }];
      case 1:
        return [id, { ...object, replaces: [other, pick(objects)[0]] }];
      case 2:
        return [id, { ...object, attributes: { ...object.attributes, [name]: attribute } }];
      case 3:
        return [
          id,
          { ...object, attributes: Object.fromEntries(Object.entries(object.attributes).slice(0, 1)) },
        ];
      default: {
        const overriding = { ...column(1), overrides: { object: other, attribute: name } };
        return [id, { ...object, attributes: { ...object.attributes, overriding } }];
      }
    }
  };
  const times = <Item>(count: number, make: () => Item) => Array.from({ length: count }, make);
  return {
    objects: Object.fromEntries(times(40, change)),
    integerEnums: Object.fromEntries(times(10, () => [pick(enums)[0], pick(enums)[1]])),
    notifications: Object.fromEntries(times(10, () => [pick(notifications)[0], pick(notifications)[1]])),
  };
}
