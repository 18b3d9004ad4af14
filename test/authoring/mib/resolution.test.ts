import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compile, moduleOf, object, openMibs, table } from './support/compile-mibs.ts';

const acme = '1.3.6.1.4.1.9999';

describe('tables', () => {
  it('have rows and columns, told by their types and parents', (t) => {
    const { nodes, problems } = compile(t, moduleOf(table('port', 'acme 1')));
    const kinds = ['portTable', 'portEntry', 'portIndex'].map((name) => nodes[name]!.kind);
    assert.deepEqual(kinds, ['table', 'row', 'column']);
    assert.deepEqual([nodes['portTable']!.typeName, nodes['portTable']!.type], ['PortEntry', undefined]);
    assert.deepEqual([nodes['portEntry']!.index, nodes['portEntry']!.implied], [['portIndex'], undefined]);
    assert.equal(nodes['portIndex']!.oid, `${acme}.1.1.1`);
    assert.equal(nodes['PortEntry'], undefined);
    assert.deepEqual(problems, []);
  });

  it('have several index columns, of which the last may be IMPLIED', (t) => {
    const { nodes } = compile(
      t,
      moduleOf(table('port', 'acme 1', 'INDEX { T-MIB.ifIndex, IMPLIED portIndex }')),
    );
    assert.deepEqual(
      [nodes['portEntry']!.index, nodes['portEntry']!.implied],
      [['ifIndex', 'portIndex'], true],
    );
  });

  it('may extend the rows of another table', (t) => {
    const { nodes } = compile(t, moduleOf(table('extra', 'acme 1', 'AUGMENTS { ifEntry }')));
    assert.deepEqual([nodes['extraEntry']!.augments, nodes['extraEntry']!.index], ['ifEntry', undefined]);
  });

  it('of SMIv1 may have a type as index', (t) => {
    const { nodes } = compile(t, moduleOf(table('port', 'acme 1', 'INDEX { INTEGER, OCTET STRING }')));
    assert.deepEqual(nodes['portEntry']!.index, ['INTEGER', 'OCTET STRING']);
  });

  it('are not made by an INDEX of a scalar or by a SEQUENCE that groups scalars', (t) => {
    const { nodes } = compile(
      t,
      moduleOf(`${object('a', 'INTEGER', 'acme 1', 'INDEX { a }')}
${object('group', 'Group', 'acme 2')} Group ::= SEQUENCE { b INTEGER }
${object('b', 'INTEGER', 'group 1')}`),
    );
    assert.deepEqual(
      [nodes['a']!.kind, nodes['a']!.index, nodes['b']!.kind],
      ['scalar', undefined, 'scalar'],
    );
  });

  it('may lack the definition of the type of their rows', (t) => {
    const { nodes } = compile(t, moduleOf(table('port', 'acme 1').replace(/PortEntry ::= SEQUENCE.*/, '')));
    assert.deepEqual([nodes['portEntry']!.kind, nodes['portIndex']!.kind], ['row', 'column']);
  });
});

describe('notifications', () => {
  it('of SMIv2 have the OID of their value and their objects', (t) => {
    const { nodes } = compile(
      t,
      moduleOf('a NOTIFICATION-TYPE OBJECTS { ifIndex, b } STATUS current DESCRIPTION "D" ::= { acme 0 1 }'),
    );
    const { kind, oid, objects } = nodes['a']!;
    assert.deepEqual([kind, oid, objects], ['notification', `${acme}.0.1`, ['ifIndex', 'b']]);
  });

  it('of SMIv1 have the OID enterprise.0.number (RFC 2576, 3.1)', (t) => {
    const { nodes, problems } = compile(
      t,
      moduleOf(`a TRAP-TYPE ENTERPRISE acme VARIABLES { ifIndex } DESCRIPTION "D" ::= 7
b TRAP-TYPE ENTERPRISE { acme } ::= 8
c TRAP-TYPE ENTERPRISE snmp ::= 2`),
    );
    assert.deepEqual([nodes['a']!.kind, nodes['a']!.objects], ['notification', ['ifIndex']]);
    assert.deepEqual(
      ['a', 'b', 'c'].map((name) => nodes[name]!.oid),
      [`${acme}.0.7`, `${acme}.0.8`, '1.3.6.1.6.3.1.1.5.3'],
    );
    assert.deepEqual(problems, []);
  });
});

describe('groups', () => {
  it('have their objects or notifications', (t) => {
    const { nodes } = compile(
      t,
      moduleOf(`a OBJECT-GROUP OBJECTS { x, y } STATUS current DESCRIPTION "D" ::= { acme 1 }
b NOTIFICATION-GROUP NOTIFICATIONS { z } STATUS current DESCRIPTION "D" ::= { acme 2 }`),
    );
    assert.deepEqual([nodes['a']!.kind, nodes['a']!.objects], ['group', ['x', 'y']]);
    assert.deepEqual([nodes['b']!.kind, nodes['b']!.objects], ['group', ['z']]);
  });
});

describe('types', () => {
  it('are the base types of SNMP under all their names', (t) => {
    const names = {
      INTEGER: 'Integer32',
      Integer32: 'Integer32',
      'OCTET STRING': 'OctetString',
      'OBJECT IDENTIFIER': 'ObjectIdentifier',
      Counter: 'Counter32',
      Counter32: 'Counter32',
      Gauge: 'Gauge32',
      Gauge32: 'Gauge32',
      Unsigned32: 'Unsigned32',
      UInteger32: 'Unsigned32',
      TimeTicks: 'TimeTicks',
      Counter64: 'Counter64',
      IpAddress: 'IpAddress',
      NetworkAddress: 'IpAddress',
      Opaque: 'Opaque',
      'BITS { a(0), b(1) }': 'Bits',
    };
    const syntaxes = Object.keys(names);
    const { nodes, problems } = compile(
      t,
      moduleOf(syntaxes.map((syntax, i) => object(`a${i}`, syntax, `acme ${i}`)).join('')),
    );
    assert.deepEqual(
      syntaxes.map((_, i) => nodes[`a${i}`]!.type),
      Object.values(names),
    );
    assert.deepEqual(nodes['a15']!.enums, { a: 0, b: 1 });
    assert.deepEqual(problems, []);
  });

  it('inherit names, ranges and display hints, and refine them', (t) => {
    const { nodes } = compile(
      t,
      moduleOf(`Name ::= TEXTUAL-CONVENTION DISPLAY-HINT "31a" STATUS current DESCRIPTION "D" SYNTAX OCTET STRING (SIZE (0..31))
Short ::= Name (SIZE (0..8))
State ::= INTEGER { up(1), down(2) }
${object('a', 'Name', 'acme 1')} ${object('b', 'Short', 'acme 2')}
${object('c', 'State', 'acme 3')} ${object('d', 'State { up(1) }', 'acme 4')}
${object('e', 'DisplayString (SIZE (4))', 'acme 5')}`),
    );
    const of = (name: string) => {
      const { type, typeName, enums, ranges, hint } = nodes[name]!;
      return { type, typeName, enums, ranges, hint };
    };
    const text = { type: 'OctetString', enums: undefined };
    assert.deepEqual(of('a'), { ...text, typeName: 'Name', ranges: [{ min: 0, max: 31 }], hint: '31a' });
    assert.deepEqual(of('b'), { ...text, typeName: 'Short', ranges: [{ min: 0, max: 8 }], hint: '31a' });
    assert.deepEqual(nodes['c']!.enums, { up: 1, down: 2 });
    assert.deepEqual(nodes['d']!.enums, { up: 1 });
    assert.deepEqual(of('e'), {
      ...text,
      typeName: 'DisplayString',
      ranges: [{ min: 4, max: 4 }],
      hint: '255a',
    });
    assert.deepEqual(
      [nodes['Name']!.kind, nodes['Name']!.oid, nodes['Name']!.type],
      ['type', undefined, 'OctetString'],
    );
  });

  it('keep a reserved name when a module defines it once more', (t) => {
    const { nodes } = compile(
      t,
      moduleOf(`Counter32 ::= [APPLICATION 1] IMPLICIT INTEGER (0..4294967295)
Mine ::= [APPLICATION 3] IMPLICIT INTEGER
${object('a', 'Counter32', 'acme 1')} ${object('b', 'Mine', 'acme 2')}`),
    );
    assert.deepEqual([nodes['a']!.type, nodes['b']!.type], ['Counter32', 'TimeTicks']);
  });

  it('that nothing defines are errors at the place of the name', (t) => {
    const { nodes, problems } = compile(t, moduleOf(object('a', 'Nowhere', 'acme 1')));
    assert.deepEqual([nodes['a']!.oid, nodes['a']!.type], [`${acme}.1`, undefined]);
    assert.deepEqual(problems, ['error unknown-type 4:22']);
  });
});

describe('names', () => {
  it('are those of the module, then the imported ones, also through a module that imports them', (t) => {
    const set = openMibs(t, {
      'A-MIB':
        'A-MIB DEFINITIONS ::= BEGIN x OBJECT IDENTIFIER ::= { enterprises 1 } y OBJECT IDENTIFIER ::= { enterprises 2 } END',
      'B-MIB': 'B-MIB DEFINITIONS ::= BEGIN IMPORTS x FROM A-MIB; END',
      'C-MIB': `C-MIB DEFINITIONS ::= BEGIN IMPORTS x FROM B-MIB y FROM A-MIB;
y OBJECT IDENTIFIER ::= { y 3 } a OBJECT IDENTIFIER ::= { x 4 } b OBJECT IDENTIFIER ::= { y 5 } END`,
    });
    assert.deepEqual(
      set.module('C-MIB')!.nodes.map(({ name, oid }) => `${name} ${oid}`),
      ['y 1.3.6.1.4.1.2.3', 'a 1.3.6.1.4.1.1.4', 'b 1.3.6.1.4.1.2.3.5'],
    );
    assert.deepEqual(set.problems(), []);
  });

  it('that are not imported are found in any module, which is a warning', (t) => {
    const set = openMibs(t, {
      'zzz.txt':
        'A-MIB DEFINITIONS ::= BEGIN x OBJECT IDENTIFIER ::= { enterprises 1 } X ::= INTEGER { up(1) } END',
      'C-MIB': `C-MIB DEFINITIONS ::= BEGIN ${object('a', 'X', 'x 4')} END`,
    });
    const [a] = set.module('C-MIB')!.nodes;
    assert.deepEqual([a!.oid, a!.enums], ['1.3.6.1.4.1.1.4', { up: 1 }]);
    assert.deepEqual(
      set.problems().map(({ level, rule, line, column }) => `${level} ${rule} ${line}:${column}`),
      ['warning missing-import 1:29', 'warning missing-import 1:50'],
    );
    assert.match(set.problems()[0]!.message, /x is not imported\. The definition of A-MIB is used\./);
  });

  it('that a module does not have, and modules that are nowhere, are warnings at the import', (t) => {
    const set = openMibs(t, {
      'A-MIB': 'A-MIB DEFINITIONS ::= BEGIN END',
      'C-MIB': `C-MIB DEFINITIONS ::= BEGIN IMPORTS
x FROM A-MIB
y, z FROM GONE-MIB
OBJECT-TYPE FROM RFC-1212; END`,
    });
    set.modules();
    assert.deepEqual(
      set.problems().map(({ rule, line, column }) => `${rule} ${line}:${column}`),
      ['unknown-import 2:1', 'unknown-module 3:1'],
    );
  });

  it('without a definition cost their own node and those below, with one error', (t) => {
    const { nodes, problems } = compile(
      t,
      moduleOf(`a OBJECT IDENTIFIER ::= { gone 1 }
b OBJECT IDENTIFIER ::= { a 1 }
c OBJECT IDENTIFIER ::= { b 1 }`),
    );
    assert.deepEqual(Object.keys(nodes), ['acme']);
    assert.deepEqual(problems, ['error unknown-name 4:1']);
  });

  it('of an INDEX or AUGMENTS that nobody has are reported, and circles of AUGMENTS', (t) => {
    const rows = [
      table('a', 'acme 1', 'INDEX { INTEGER, aIndex, lost }'),
      table('b', 'acme 2', 'AUGMENTS { nowhere }'),
      table('c', 'acme 3', 'AUGMENTS { dEntry }'),
      table('d', 'acme 4', 'AUGMENTS { cEntry }'),
      table('e', 'acme 5', 'AUGMENTS { dEntry }'),
    ];
    const { problems } = compile(t, moduleOf(rows.join('\n')));
    assert.deepEqual(
      problems.map((problem) => problem.split(' ', 2).join(' ')),
      ['warning unknown-index', 'warning unknown-index', 'error augments-circle', 'error augments-circle'],
    );
  });

  it('that are defined twice are both listed, and the first is what others mean', (t) => {
    const { problems } = compile(
      t,
      moduleOf('a OBJECT IDENTIFIER ::= { acme 1 }\na OBJECT IDENTIFIER ::= { acme 2 }'),
    );
    assert.deepEqual(problems, ['warning duplicate-name 5:1']);
    const set = openMibs(t, {
      'T-MIB': moduleOf(
        `a OBJECT IDENTIFIER ::= { acme 1 } a OBJECT IDENTIFIER ::= { acme 2 } b OBJECT IDENTIFIER ::= { a 3 }`,
      ),
    });
    assert.deepEqual(
      set.module('T-MIB')!.nodes.map(({ oid }) => oid),
      [acme, `${acme}.1`, `${acme}.2`, `${acme}.1.3`],
    );
  });
});

describe('the JSON of a node', () => {
  it('has what the node has, and nothing else', (t) => {
    const { nodes } = compile(t, moduleOf(object('a', 'INTEGER { up(1), down(2) }', 'acme 1', 'UNITS "s"')));
    assert.deepEqual(JSON.parse(JSON.stringify(nodes['a'])), {
      module: 'T-MIB',
      name: 'a',
      oid: `${acme}.1`,
      kind: 'scalar',
      type: 'Integer32',
      typeName: 'INTEGER',
      enums: { up: 1, down: 2 },
      units: 's',
      access: 'read-only',
      status: 'current',
      description: 'D',
    });
  });
});
