import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { diffDefinitions } from '../../../src/definitions/changes/definition-diff.ts';
import { compileDefinitions } from '../../../src/definitions/compiler/compile-definitions.ts';
import type { AttributeRef } from '../../../src/definitions/compiler/compiled-definitions.ts';
import type { RawDefinitions, RawObject } from '../../../src/definitions/schema/raw-definitions.ts';
import { attribute, ifIndex, rawSet } from './raw-set.ts';

const size = 7;
const columns = 2;

interface Shape {
  /** The number of the object that it augments; `size` is one that does not exist. */
  readonly augments: number | undefined;
  readonly overrides: readonly ([object: number, column: number] | undefined)[];
}

const shape: fc.Arbitrary<Shape> = fc.record({
  augments: fc.option(fc.nat(size), { nil: undefined }),
  overrides: fc.array(fc.option(fc.tuple(fc.nat(size), fc.nat(columns)), { nil: undefined }), {
    minLength: columns,
    maxLength: columns,
  }),
});
const graph = fc.array(shape, { minLength: size, maxLength: size });

function toRaw(shapes: readonly Shape[]): RawDefinitions {
  const objects = shapes.map(({ augments, overrides }, number): [string, RawObject] => {
    const attributes = overrides.map((target, column) => {
      const more = target && { overrides: { object: `o${target[0]}`, attribute: `a${target[1]}` } };
      return [`a${column}`, attribute(`.1.3.${number}.${column}`, `f${number}.${column}`, more)];
    });
    const link = augments === undefined ? { index: [ifIndex] } : { augments: `o${augments}` };
    return [`o${number}`, { ...link, attributes: Object.fromEntries(attributes) }];
  });
  return rawSet({ objects: Object.fromEntries(objects) });
}

/** The last object in the chain that an object augments, found the slow way; undefined when there is none. */
function rootOf(shapes: readonly Shape[], number: number, steps = 0): number | undefined {
  const found = shapes[number];
  if (found === undefined || steps > size) return undefined;
  return found.augments === undefined ? number : rootOf(shapes, found.augments, steps + 1);
}

describe('sets of any shape', () => {
  it('compile to objects with an index, and a problem for every object that cannot have one', () => {
    fc.assert(
      fc.property(graph, (shapes) => {
        const { definitions, problems } = compileDefinitions(toRaw(shapes));
        shapes.forEach((_, number) => {
          const root = rootOf(shapes, number);
          const object = definitions.objects.get(`o${number}`);
          equal(object?.record, root === undefined ? undefined : `o${root}`);
          const isReported = problems.some(({ path }) => path[1] === `o${number}` && path[2] === 'augments');
          equal(isReported, root === undefined);
        });
      }),
      { numRuns: 500 },
    );
  });

  it('have override chains that end and name existing attributes', () => {
    fc.assert(
      fc.property(graph, (shapes) => {
        const { objects } = compileDefinitions(toRaw(shapes)).definitions;
        for (const { id, attributes } of objects.values()) {
          for (const { name, overrides } of attributes.values()) {
            const keys = [{ object: id, attribute: name }, ...overrides].map(keyOf);
            equal(new Set(keys).size, keys.length);
            ok(overrides.every((ref) => objects.get(ref.object)?.attributes.has(ref.attribute)));
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('change exactly the hashes for which a naive search finds a dependency', () => {
    fc.assert(
      fc.property(graph, fc.nat(size - 1), fc.nat(columns - 1), (shapes, number, column) => {
        const raw = toRaw(shapes);
        const changed = { object: `o${number}`, attribute: `a${column}` };
        const { attributes, ...rest } = raw.objects.get(changed.object)!;
        const touched = { ...attributes[changed.attribute]!, metric: 'gauge' as const };
        const mutated = { ...rest, attributes: { ...attributes, [changed.attribute]: touched } };
        const before = compileDefinitions(raw).definitions;
        const after = compileDefinitions({
          ...raw,
          objects: new Map(raw.objects).set(changed.object, mutated),
        });
        const depends = (id: string | undefined): boolean => {
          const object = id === undefined ? undefined : before.objects.get(id);
          if (object === undefined) return false;
          const overridden = [...object.attributes.values()].flatMap(({ overrides }) => overrides.map(keyOf));
          return id === changed.object || overridden.includes(keyOf(changed)) || depends(object.augments);
        };
        deepEqual(diffDefinitions(before, after.definitions).objects, {
          added: [],
          changed: [...before.objects.keys()].filter(depends).sort(),
          removed: [],
        });
      }),
      { numRuns: 500 },
    );
  });
});

function keyOf({ object, attribute: name }: AttributeRef): string {
  return `${object} ${name}`;
}
