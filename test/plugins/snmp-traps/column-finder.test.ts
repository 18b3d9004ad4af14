import { equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ColumnFinder } from '../../../plugins/snmp-traps/decoding/column-finder.ts';
import { compileDefinitions } from '../../../src/definitions/compiler/compile-definitions.ts';
import { runToEnd } from '../../../src/timing/slices.ts';
import { attribute, ifIndex, rawSet } from '../../definitions/compiler/raw-set.ts';

describe('the column of a varbind', () => {
  it('belongs to its own table, not to one that reads it at a part of its index', () => {
    const name = attribute('.1.3.6.1.4.1.63000.1.1.2', 'rack.name', { syntax: 'DisplayString', tag: true });
    const load = attribute('.1.3.6.1.4.1.63000.2.1.3', 'outlet.load');
    const { definitions } = compileDefinitions(
      rawSet({
        objects: {
          'A::outlet': { index: [ifIndex, ifIndex], attributes: { rack: { ...name, at: [1] }, load } },
          'B::rack': { index: [ifIndex], attributes: { name } },
        },
      }),
    );
    const finder = runToEnd(ColumnFinder.build(definitions));
    const find = (oid: string) => finder.find(oid, undefined, () => true);
    equal(find('1.3.6.1.4.1.63000.1.1.2.7')?.object?.id, 'B::rack');
    equal(find('1.3.6.1.4.1.63000.2.1.3.1.2')?.object?.id, 'A::outlet');
  });
});
