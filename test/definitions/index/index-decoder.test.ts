import { deepEqual, equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createIndexDecoder } from '../../../src/definitions/index/index-decoder.ts';
import { type IndexPart, type IndexType, indexTypes } from '../../../src/definitions/index/index-part.ts';
import type { ColumnNames } from '../../../src/definitions/syntax/decode/column-decoder.ts';
import { syntaxes } from '../../../src/definitions/syntax/syntax-table.ts';

function part(type: IndexType, syntax: string, field: string | undefined): IndexPart {
  return { type, syntax, field, column: undefined };
}

function labelsOf(
  parts: readonly IndexPart[],
  instances: readonly (readonly number[])[],
  names: ColumnNames = {},
) {
  return createIndexDecoder(parts, () => names)(instances);
}

describe('an index decoder', () => {
  it('labels every instance by the syntax of each part', () => {
    const { labels, undecoded } = labelsOf(
      [
        part('Integer', 'InterfaceIndex', 'netif.index'),
        part('IpAddress', 'IpAddress', 'peer.ip.addr'),
        part('MacAddress', 'MacAddress', 'peer.addr'),
        part('OctetString', 'DisplayString', 'vrf'),
        part('Integer', 'TruthValue', 'valid.state'),
        part('ObjectIdentifier', 'ObjectIdentifier', 'kind'),
      ],
      [[7, 10, 0, 0, 1, 0, 27, 33, 171, 52, 205, 3, 114, 101, 100, 2, 3, 1, 3, 6]],
    );
    deepEqual(labels, {
      'netif.index': ['7'],
      'peer.ip.addr': ['10.0.0.1'],
      'peer.addr': ['00:1b:21:ab:34:cd'],
      vrf: ['red'],
      'valid.state': ['false'],
      kind: ['1.3.6'],
    });
    equal(undecoded, 0);
  });

  it('consumes parts that are skipped and parts without a field', () => {
    const parts = [
      part('Integer', 'skip', 'a'),
      part('Integer', 'Integer', undefined),
      part('Integer', 'Integer', 'b'),
    ];
    deepEqual(labelsOf(parts, [[1, 2, 3]]).labels, { b: ['3'] });
  });

  it('marks an instance that cannot be split, counts it, and does not affect the others', () => {
    const parts = [
      part('Integer', 'InterfaceIndex', 'netif.index'),
      part('IpAddress', 'IpAddress', 'ip.addr'),
    ];
    deepEqual(
      labelsOf(parts, [
        [1, 10, 0, 0, 1],
        [2, 10, 0, 0],
        [3, 10, 0, 0, 3],
      ]),
      {
        labels: {
          'netif.index': ['1', undefined, '3'],
          'ip.addr': ['10.0.0.1', undefined, '10.0.0.3'],
          'index.raw': [undefined, '2.10.0.0', undefined],
        },
        undecoded: 1,
        unnamed: 0,
      },
    );
  });

  it('marks an instance with a part that its syntax does not decode, and keeps the labels of the other parts', () => {
    const parts = [
      part('Integer', 'Integer', 'id'),
      part('Integer', 'TruthValue', 'a'),
      part('OctetString', 'DateAndTime', 'b'),
      part('OctetString', 'IpAddress', 'peer.ip.addr'),
    ];
    deepEqual(labelsOf(parts, [[1, 7, 2, 1, 2, 5, 10, 0, 0, 0, 1]]), {
      labels: {
        id: ['1'],
        a: [undefined],
        b: [undefined],
        'peer.ip.addr': [undefined],
        'index.raw': ['1.7.2.1.2.5.10.0.0.0.1'],
      },
      undecoded: 1,
      unnamed: 0,
    });
  });

  it('gives a part that is an empty address no label, and does not mark the instance', () => {
    const parts = [part('Integer', 'Integer', 'id'), part('OctetString', 'IpAddress', 'next.ip.addr')];
    deepEqual(labelsOf(parts, [[1, 0]]), {
      labels: { id: ['1'], 'next.ip.addr': [undefined] },
      undecoded: 0,
      unnamed: 0,
    });
  });

  it('names numbers by the enum of the index column and counts those without a name', () => {
    const parts = [part('Integer', 'EnumInteger', 'state.name')];
    const names = { column: new Map([[1, 'up']]) };
    deepEqual(labelsOf(parts, [[1], [2]], names), {
      labels: { 'state.name': ['up', '2'] },
      undecoded: 0,
      unnamed: 1,
    });
  });

  it('distinguishes a host name from an address by the address type before it', () => {
    const parts = [
      part('Integer', 'InetAddressType', 'type'),
      part('OctetString', 'IpAddressNoSuffix', 'addr'),
    ];
    const name = [...Buffer.from('www.example.com.')];
    const v6 = [32, 1, 13, 184, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
    deepEqual(
      labelsOf(parts, [
        [16, 16, ...name],
        [2, 16, ...v6],
        [1, 4, 10, 0, 0, 1],
        [0, 0],
      ]).labels,
      {
        type: ['dns', 'ipv6', 'ipv4', 'unknown'],
        addr: ['www.example.com.', '2001:db8::1', '10.0.0.1', undefined],
      },
    );
  });

  it('labels or marks any instance in any type and syntax, except an empty address', () => {
    const arcs = fc.array(
      fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 0xffffffff })),
    );
    const emitted = syntaxes.filter((syntax) => syntax.kind !== 'none').map((syntax) => syntax.name);
    fc.assert(
      fc.property(
        fc.constantFrom(...indexTypes),
        fc.constantFrom(...emitted),
        arcs,
        (type, syntax, instance) => {
          const { labels, undecoded } = labelsOf([part(type, syntax, 'field')], [instance]);
          const [label, raw] = [labels['field']?.[0], labels['index.raw']?.[0]];
          equal(raw, undecoded === 0 ? undefined : instance.join('.'));
          const isEmptyAddress = /Address|address/.test(syntax) && instance.every((arc) => arc === 0);
          equal(typeof (label ?? raw), isEmptyAddress ? typeof (label ?? raw) : 'string');
        },
      ),
      { numRuns: 2000 },
    );
  });
});
