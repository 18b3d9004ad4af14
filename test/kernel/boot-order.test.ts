import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findMissingServices, orderForBoot } from '../../src/kernel/boot-order.ts';
import { definePlugin, type PluginKind, pluginKinds } from '../../src/kernel/plugin.ts';
import { serviceToken } from '../../src/kernel/service-token.ts';

function instance(name: string, kind: PluginKind, needs: readonly string[] = [], provides?: string) {
  const plugin = definePlugin({
    name,
    kind,
    summary: 'For a test.',
    needs: Object.fromEntries(needs.map((need) => [need, serviceToken<unknown>(need)])),
    ...(provides === undefined ? {} : { provides: serviceToken<unknown>(provides) }),
    start: () => ({}),
  });
  return { name, plugin };
}

const namesOf = (instances: readonly { readonly name: string }[]) => instances.map(({ name }) => name);

describe('boot order', () => {
  it('starts by kind, whatever the order of the configuration', () => {
    const given = [...pluginKinds].reverse().map((kind) => instance(kind, kind));
    assert.deepEqual(namesOf(orderForBoot(given)), pluginKinds);
  });

  it('starts a needed plugin first, and otherwise keeps the given order', () => {
    const given = [
      instance('c', 'service', ['b']),
      instance('x', 'service'),
      instance('b', 'service', ['a'], 'b'),
      instance('a', 'service', [], 'a'),
    ];
    assert.deepEqual(namesOf(orderForBoot(given)), ['a', 'b', 'c', 'x']);
  });

  it('puts every provider before the plugins that need it, for any graph without circles', () => {
    const graph = fc.array(fc.tuple(fc.nat(4), fc.array(fc.nat(19), { maxLength: 4 })), { maxLength: 20 });
    fc.assert(
      fc.property(graph, fc.infiniteStream(fc.nat()), (nodes, shuffle) => {
        const kinds = nodes.map(([kind]) => kind).sort();
        const given = nodes
          .map(([, needs], i) =>
            instance(
              `p${i}`,
              pluginKinds[kinds[i]!]!,
              needs.filter((need) => need < i).map((need) => `p${need}`),
              `p${i}`,
            ),
          )
          .map((each) => ({ each, at: shuffle.next().value ?? 0 }))
          .sort((a, b) => a.at - b.at)
          .map(({ each }) => each);
        const order = orderForBoot(given);
        assert.equal(order.length, given.length);
        const seen = new Set<string>();
        for (const { name, plugin } of order) {
          for (const need of Object.keys(plugin.needs)) assert.ok(seen.has(need), `${name} before ${need}`);
          seen.add(name);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('reports a circle as a path, without the plugins that only lead to it', () => {
    const given = [
      instance('lead', 'service', ['a']),
      instance('a', 'service', ['b'], 'a'),
      instance('b', 'service', ['c'], 'b'),
      instance('c', 'service', ['a'], 'c'),
    ];
    assert.throws(() => orderForBoot(given), {
      code: 'PLUGINS_NEED_EACH_OTHER',
      message: /: a → b → c → a\./,
    });
  });

  it('reports a plugin that needs itself as a circle', () => {
    assert.throws(() => orderForBoot([instance('a', 'service', ['a'], 'a')]), { message: /a → a/ });
  });

  it('reports all missing services together, each with every plugin that needs it', () => {
    const given = [
      instance('x', 'output', ['gone', 'here']),
      instance('y', 'source', ['gone', 'lost']),
      instance('z', 'service', [], 'here'),
    ];
    assert.throws(() => orderForBoot(given), {
      code: 'SERVICES_MISSING',
      message: /"gone" \(needed by x, y\); "lost" \(needed by y\)\. Available services: here\./,
    });
    assert.deepEqual([...findMissingServices(given).keys()], ['gone', 'lost']);
  });

  it('names both plugins that provide one service', () => {
    const given = [instance('one', 'service', [], 's'), instance('two', 'output', [], 's')];
    assert.throws(() => orderForBoot(given), {
      code: 'SERVICE_PROVIDED_TWICE',
      message: /"s" is provided by both "one" and "two"/,
    });
  });

  it('rejects a need for a later kind and names both kinds', () => {
    const given = [instance('early', 'service', ['s']), instance('late', 'source', [], 's')];
    assert.throws(() => orderForBoot(given), {
      code: 'NEED_STARTS_LATER',
      message:
        /"early" is of kind service and needs "s" from "late", which is of kind source and starts later/,
    });
  });
});
