import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { compile, moduleOf, object, table } from './support/compile-mibs.ts';

const definitions = `AcmeState ::= TEXTUAL-CONVENTION STATUS current DESCRIPTION "D" SYNTAX INTEGER { up(1), down(2) }
objects OBJECT IDENTIFIER ::= { acme 1 }
${object('name', 'OCTET STRING (SIZE (0..32))', 'objects 1', 'DEFVAL { "x" }')}
${object('mode', 'INTEGER { off(1), on(2) }', 'objects 2', 'DEFVAL { on }')}
${object('marks', 'BITS { a(0), b(1) }', 'objects 3', 'DEFVAL { { a, b } }')}
${table('port', 'objects 4')}
down NOTIFICATION-TYPE OBJECTS { name, mode } STATUS current DESCRIPTION "D" ::= { acme 0 1 }
up TRAP-TYPE ENTERPRISE acme VARIABLES { name, mode } DESCRIPTION "D" ::= 7
compliance MODULE-COMPLIANCE STATUS current DESCRIPTION "D" MODULE MANDATORY-GROUPS { group }
  OBJECT mode SYNTAX INTEGER { off(1) } MIN-ACCESS read-only DESCRIPTION "E" ::= { acme 2 1 }
group OBJECT-GROUP OBJECTS { name, mode } STATUS current DESCRIPTION "D" ::= { acme 2 2 }
agent AGENT-CAPABILITIES PRODUCT-RELEASE "1" STATUS current DESCRIPTION "D" SUPPORTS T-MIB INCLUDES { group }
  VARIATION mode SYNTAX INTEGER { on(2) } ACCESS read-only DEFVAL { on } DESCRIPTION "E" ::= { acme 2 3 }
last OBJECT IDENTIFIER ::= { acme 3 }`;

describe('a MIB', () => {
  for (const [what, replacement] of [
    ['without one of its marks', ''],
    ['with a mark too many', '$& $&'],
  ] as const) {
    it(`${what} keeps all its objects, each with its OID, and says where`, (t) => {
      const text = moduleOf(definitions);
      const expected = oids(t, text);
      for (const mark of text.matchAll(/::=|[{}(),;]/g)) {
        const before = text.slice(0, mark.index);
        const after = text.slice(mark.index + mark[0].length);
        const damaged = `${before}${replacement.replaceAll('$&', mark[0])}${after}`;
        assert.deepEqual(oids(t, damaged), expected, `${mark[0]} after ${before.slice(-40)}`);
      }
    });
  }

  it('has lists that end at the next clause where the closing mark is missing', (t) => {
    const { nodes, problems } = compile(
      t,
      moduleOf(`a OBJECT-TYPE SYNTAX INTEGER { up(1), down(2)
  MAX-ACCESS read-only STATUS current DESCRIPTION "D" ::= { acme 1 }
b OBJECT-TYPE SYNTAX OCTET STRING (SIZE (0..8)
  MAX-ACCESS read-only STATUS current DESCRIPTION "D" ::= { acme 2 }
c NOTIFICATION-TYPE OBJECTS { a, b
  STATUS current DESCRIPTION "D" ::= { acme 3 }`),
    );
    assert.deepEqual([nodes['a']!.enums, nodes['a']!.access], [{ up: 1, down: 2 }, 'read-only']);
    assert.deepEqual([nodes['b']!.ranges, nodes['b']!.status], [[{ min: 0, max: 8 }], 'current']);
    assert.deepEqual([nodes['c']!.objects, nodes['c']!.status], [['a', 'b'], 'current']);
    assert.deepEqual(problems, [
      'warning missing-brace 4:30',
      'warning missing-parenthesis 6:35',
      'warning missing-brace 9:3',
    ]);
  });

  it('has lists without the opening brace, or with two', (t) => {
    const { nodes, problems } = compile(
      t,
      moduleOf(`${table('one', 'acme 1', 'INDEX oneIndex')}
${table('two', 'acme 2', 'INDEX { { twoIndex } }')}
${table('more', 'acme 3', 'AUGMENTS oneEntry')}
${object('mode', 'INTEGER { { up(1) } }', 'acme 4')}`),
    );
    assert.deepEqual([nodes['oneEntry']!.index, nodes['twoEntry']!.index], [['oneIndex'], ['twoIndex']]);
    assert.equal(nodes['moreEntry']!.augments, 'oneEntry');
    assert.deepEqual([nodes['mode']!.enums, nodes['mode']!.access], [{ up: 1 }, 'read-only']);
    assert.deepEqual(
      problems.map((problem) => problem.split(' ')[1]),
      [
        'missing-brace',
        'missing-brace',
        'extra-brace',
        'unknown-clause',
        'missing-brace',
        'missing-brace',
      ].concat(['enum-syntax', 'unknown-clause']),
    );
  });

  it('may have ::= twice before a type', (t) => {
    const { nodes, problems } = compile(
      t,
      moduleOf(`A ::= TEXTUAL-CONVENTION STATUS current DESCRIPTION "D" SYNTAX INTEGER
B ::= ::= INTEGER { up(1) }`),
    );
    assert.deepEqual(nodes['B']!.enums, { up: 1 });
    assert.deepEqual(problems, ['warning extra-assign 5:7']);
  });

  it('may have := or : := for ::=', (t) => {
    const { nodes, problems } = compile(
      t,
      moduleOf(`a OBJECT IDENTIFIER := { acme 1 }
b OBJECT IDENTIFIER : := { a 2 }
c OBJECT IDENTIFIER :: { a 3 }
Kind := INTEGER { up(1) }`),
    );
    assert.deepEqual(
      ['a', 'b', 'c', 'Kind'].map((name) => nodes[name]?.oid ?? nodes[name]?.kind),
      ['1.3.6.1.4.1.9999.1', '1.3.6.1.4.1.9999.1.2', '1.3.6.1.4.1.9999.1.3', 'type'],
    );
    assert.deepEqual(problems, ['warning assign-syntax 4:21']);
  });

  it('may have one word of OBJECT IDENTIFIER, or a textual convention without ::=', (t) => {
    const { nodes, problems } = compile(
      t,
      moduleOf(`a OBJECT ::= { acme 1 }
b IDENTIFIER ::= { acme 2 }
c OBJECT-IDENTIFIER ::= { acme 3 }
Kind TEXTUAL-CONVENTION STATUS current DESCRIPTION "D" SYNTAX INTEGER { up(1) }
${object('d', 'Kind', 'acme 4')}`),
    );
    assert.deepEqual(Object.keys(nodes), ['acme', 'a', 'b', 'c', 'Kind', 'd']);
    assert.deepEqual(nodes['d']!.enums, { up: 1 });
    assert.deepEqual(problems, [
      'warning missing-type 4:1',
      'warning missing-type 5:1',
      'warning missing-type 6:1',
      'warning missing-assign 7:6',
    ]);
  });

  it('may import macros without commas', (t) => {
    const imports = 'MODULE-IDENTITY OBJECT-TYPE NOTIFICATION-TYPE enterprises FROM SNMPv2-SMI';
    const { nodes, problems } = compile(t, moduleOf(object('a', 'INTEGER', 'acme 1'), imports));
    assert.deepEqual(Object.keys(nodes), ['acme', 'a']);
    assert.deepEqual(problems, [
      'warning missing-comma 2:25',
      'warning missing-comma 2:37',
      'warning missing-comma 2:55',
    ]);
  });

  it('may have rows without SYNTAX, which their table and INDEX show', (t) => {
    const whole = table('port', 'acme 1');
    const { nodes, problems } = compile(t, moduleOf(whole.replace('SYNTAX PortEntry', 'SYNTAX')));
    assert.deepEqual(
      ['portEntry', 'portIndex'].map((name) => nodes[name]!.kind),
      ['row', 'column'],
    );
    assert.deepEqual(nodes['portEntry']!.index, ['portIndex']);
    assert.deepEqual(problems, ['error missing-type 6:30']);
  });
});

describe('a MIB without one of its quotation marks', () => {
  const quoting = `D
a OBJECT-TYPE
  SYNTAX Kind
  ::= { acme 1 }
`;
  const text = moduleOf(`${object('first', 'INTEGER', 'acme 1').replace('"D"', `"${quoting}"`)}
Kind ::= TEXTUAL-CONVENTION
  DISPLAY-HINT "255a"
  STATUS current
  DESCRIPTION
    "D"
  SYNTAX OCTET STRING
${object('second', 'INTEGER', 'acme 2').replace('"D"', `"${quoting}"\n  REFERENCE "R"`)}
${object('third', 'Kind', 'acme 3', 'UNITS "U"')}
${object('fourth', 'Kind', 'acme 4', 'DEFVAL { "x" }')}
last OBJECT IDENTIFIER ::= { acme 5 }`);

  it('loses at most the definition that the mark belongs to, and says where', (t) => {
    const expected = Object.keys(oids(t, text));
    const marks = [...text.matchAll(/"/g)];
    for (const mark of marks) {
      const damaged = `${text.slice(0, mark.index)}${text.slice(mark.index + 1)}`;
      const { nodes, problems } = compile(t, damaged);
      const lost = expected.filter((name) => nodes[name] === undefined);
      const where = `mark at ${mark.index}: ${text.slice(mark.index - 40, mark.index)}`;
      const own = expected.findLast((name) => text.lastIndexOf(`\n${name} `, mark.index) !== -1);
      assert.deepEqual(lost, lost.length === 0 ? [] : [own], where);
      assert.ok(
        problems.some((problem) => problem.startsWith('warning unterminated-text ')),
        where,
      );
    }
  });

  it('keeps all definitions when two marks are missing', (t) => {
    const damaged = text.replace('    "D"\n', '    "D\n').replace('"R"', 'R"');
    assert.deepEqual(Object.keys(oids(t, damaged)), Object.keys(oids(t, text)));
  });
});

describe('a trap of SMIv1', () => {
  it('may have its enterprise in braces, with numbers', (t) => {
    const { nodes, problems } = compile(
      t,
      moduleOf(`a TRAP-TYPE ENTERPRISE { acme } ::= 1
b TRAP-TYPE ENTERPRISE { acme 5 } ::= 2
c TRAP-TYPE ENTERPRISE { enterprises acme(9999) 6 } ::= 3
d TRAP-TYPE ENTERPRISE { 1 3 6 1 4 1 9999 } ::= 4
e TRAP-TYPE ENTERPRISE acme ::= { acme 0 5 }`),
    );
    assert.deepEqual(
      ['a', 'b', 'c', 'd', 'e'].map((name) => nodes[name]?.oid),
      ['0.1', '5.0.2', '6.0.3', '0.4', '0.5'].map((end) => `1.3.6.1.4.1.9999.${end}`),
    );
    assert.deepEqual(problems, []);
  });

  it('without an enterprise is an error', (t) => {
    const { nodes, problems } = compile(t, moduleOf('a TRAP-TYPE DESCRIPTION "D" ::= 1'));
    assert.deepEqual(Object.keys(nodes), ['acme']);
    assert.deepEqual(problems, ['error missing-enterprise 4:1']);
  });
});

function oids(test: TestContext, text: string): Readonly<Record<string, string | undefined>> {
  const { nodes } = compile(test, text);
  return Object.fromEntries(Object.values(nodes).map(({ name, oid, kind }) => [name, `${kind} ${oid}`]));
}
