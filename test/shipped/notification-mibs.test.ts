import { deepEqual, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type MibNode, MibSet } from '../../authoring/mib/index.ts';
import { listTrapOids } from '../../src/snmp/index.ts';
import { missingShared, sharedPath } from '../support/needs.ts';
import { loadShippedDefinitions } from './shipped.ts';

const skip = missingShared('mibs');
const { compiled } = loadShippedDefinitions();

describe('the shipped notifications beside the texts of the MIBs', { skip }, () => {
  const mibs = new MibSet(skip === false ? [sharedPath('mibs')] : []);
  const modules = new Map(mibs.modules().map((module) => [module.name, module]));
  const known = [...compiled.notifications.values()].flatMap((definition) => {
    const [mib = '', name = ''] = definition.id.split('::');
    const module = modules.get(mib);
    const node = module && mibs.findWithin(mib, name);
    return module === undefined || definition.isPrefix ? [] : [{ definition, mib, name, node }];
  });

  it('have a text for 96 of them', () => {
    ok(known.length >= 96, String(known.length));
  });

  it('have the name and the OID of the MIB', () => {
    deepEqual(
      known
        .filter(
          ({ definition, node }) =>
            node?.kind !== 'notification' || !listTrapOids(node.oid!).includes(definition.oid),
        )
        .map(
          ({ definition, node }) =>
            `${definition.id} ${definition.oid}: the MIB has ${node?.kind} ${node?.oid}`,
        ),
      [],
    );
  });

  it('have the objects of the MIB, in its order, each once', () => {
    const oidOf = (mib: string, name: string) => mibs.findWithin(mib, name)?.oid ?? `no ${name}`;
    const wrong = known.flatMap(({ definition, mib, node }) => {
      const expected = [...new Set((node?.objects ?? []).map((name) => oidOf(mib, name)))];
      const own = definition.varbinds.map(({ column }) => column);
      return own.join() === expected.join()
        ? []
        : [`${definition.id}: ${own.join(' ')}, the MIB has ${expected.join(' ')}`];
    });
    deepEqual(wrong, []);
  });

  it('leave none out of the modules that ship, except what is obsolete', () => {
    const shipped = new Set(known.map(({ definition }) => definition.id));
    const isCurrent = ({ kind, status }: MibNode) => kind === 'notification' && status === 'current';
    const missing = [...new Set(known.map(({ mib }) => mib))].flatMap((mib) =>
      modules
        .get(mib)!
        .nodes.filter((node) => isCurrent(node) && !shipped.has(`${mib}::${node.name}`))
        .map(({ name }) => `${mib}::${name}`),
    );
    deepEqual(missing, []);
  });
});
