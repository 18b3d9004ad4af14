import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compile, moduleOf, object, openMibs } from './support/compile-mibs.ts';

describe('the text of a MIB', () => {
  it('has comments up to the end of the line or the next two dashes', (t) => {
    const { nodes, problems } = compile(
      t,
      moduleOf(`-- a -- b OBJECT IDENTIFIER ::= { acme 1 } -- it's "quoted
---- ruler -- c OBJECT IDENTIFIER ::= { acme 2 }
-- a --- b ----- c OBJECT IDENTIFIER ::= { acme 3 }
-----
d OBJECT IDENTIFIER ::= { acme 4 }--end--
e-f--comment
OBJECT IDENTIFIER ::= { acme 5 }`),
    );
    assert.deepEqual(Object.keys(nodes), ['acme', 'b', 'd', 'e-f']);
    assert.deepEqual(problems, []);
  });

  it('may have CRLF, CR, Latin-1, UTF-8, a byte order mark and UTF-16', (t) => {
    const text = moduleOf(`a OBJECT-TYPE SYNTAX INTEGER UNITS "°C" MAX-ACCESS read-only STATUS current
  DESCRIPTION "ä" ::= { acme 1 }\nlost`);
    const encoded = [
      Buffer.from(text.replaceAll('\n', '\r\n'), 'latin1'),
      Buffer.from(text.replaceAll('\n', '\r'), 'latin1'),
      Buffer.from(`\uFEFF${text}`),
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]),
      Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
      Buffer.from(text, 'utf16le'),
      Buffer.from(text, 'utf16le').swap16(),
    ];
    for (const bytes of encoded) {
      const { nodes, problems } = compile(t, bytes);
      assert.deepEqual([nodes['a']!.units, nodes['a']!.description], ['°C', 'ä']);
      assert.deepEqual(problems, ['warning unexpected-word 6:1']);
    }
  });

  it('has names with underscores and digits in front, which are warnings', (t) => {
    const { nodes, problems } = compile(
      t,
      moduleOf('a_b OBJECT IDENTIFIER ::= { acme 1 }\n802dot1 OBJECT IDENTIFIER ::= { acme 2 }'),
    );
    assert.equal(nodes['a_b']!.oid, '1.3.6.1.4.1.9999.1');
    assert.equal(nodes['802dot1']!.oid, '1.3.6.1.4.1.9999.2');
    assert.deepEqual(problems, ['warning name-underscore 4:1', 'warning name-digit 5:1']);
  });

  it('has descriptions without the indentation of the file, in which two quotation marks are one', (t) => {
    const { nodes } = compile(
      t,
      moduleOf(`a OBJECT-IDENTITY STATUS current DESCRIPTION "One
        ""two""

          three" ::= { acme 1 }`),
    );
    assert.equal(nodes['a']!.description, 'One\n"two"\n\n  three');
  });

  it('reports characters that have no meaning once per run of them', (t) => {
    const { nodes, problems } = compile(t, moduleOf('`´´ a OBJECT IDENTIFIER ::= { acme 1 } ?'));
    assert.ok(nodes['a']);
    assert.deepEqual(problems, ['warning unexpected-character 4:1', 'warning unexpected-character 4:40']);
  });
});

describe('a file', () => {
  it('may contain several modules, with OIDs and tags in their headers, and text around them', (t) => {
    const set = openMibs(t, {
      'README.txt': 'The DEFINITIONS of our MIBs ::= are below. Don"t { worry.',
      'all.mib': `Some words
A-MIB { iso org(3) 1 } DEFINITIONS IMPLICIT TAGS ::= BEGIN a OBJECT IDENTIFIER ::= { enterprises 1 } END
more words
B_MIB DEFINITIONS ::= BEGIN b OBJECT IDENTIFIER ::= { enterprises 2 }
C-MIB DEFINITIONS ::= c OBJECT IDENTIFIER ::= { enterprises 3 }`,
    });
    const names = set.modules().map(({ name, nodes }) => `${name} ${nodes.map((node) => node.name)}`);
    assert.deepEqual(names, ['A-MIB a', 'B_MIB b', 'C-MIB c']);
    assert.deepEqual(
      set.problems().map(({ rule, line, column }) => `${rule} ${line}:${column}`),
      ['missing-end 5:1', 'missing-begin 5:23', 'missing-end 5:64'],
    );
  });

  it('with macros of its own is read behind them', (t) => {
    const { nodes, problems } = compile(
      t,
      moduleOf(`OBJECT-TYPE MACRO ::= BEGIN
  TYPE NOTATION ::= "SYNTAX" type(ObjectSyntax) "ACCESS" Access
  VALUE NOTATION ::= value(VALUE ObjectName) END
${object('a', 'INTEGER', 'acme 1')}`),
    );
    assert.equal(nodes['a']!.kind, 'scalar');
    assert.deepEqual(problems, []);
  });
});

describe('IMPORTS', () => {
  it('may lack the semicolon, commas, or have too many of them', (t) => {
    const { nodes, problems } = compile(
      t,
      `T-MIB DEFINITIONS ::= BEGIN
IMPORTS Counter32 enterprises, FROM SNMPv2-SMI, DisplayString FROM SNMPv2-TC
acme OBJECT IDENTIFIER ::= { enterprises 9999 }
END`,
    );
    assert.equal(nodes['acme']!.oid, '1.3.6.1.4.1.9999');
    assert.deepEqual(problems, ['warning missing-comma 2:19', 'warning missing-semicolon 3:1']);
  });
});

describe('an OBJECT-TYPE', () => {
  it('has its clauses in any order, and the first of two counts', (t) => {
    const { nodes, problems } = compile(
      t,
      moduleOf(`a OBJECT-TYPE STATUS current DESCRIPTION "D" UNITS "s" MAX-ACCESS read-write STATUS obsolete
  REFERENCE "R" DEFVAL { { a, { b } } } SYNTAX OCTET STRING (SIZE (0..8 | 16)) ::= { acme 1 }`),
    );
    const { status, units, access, type, ranges } = nodes['a']!;
    assert.deepEqual([status, units, access, type], ['current', 's', 'read-write', 'OctetString']);
    assert.deepEqual(ranges, [
      { min: 0, max: 8 },
      { min: 16, max: 16 },
    ]);
    assert.deepEqual(problems, ['warning repeated-clause 4:78']);
  });

  it('without a value is an error, and the next definition is read', (t) => {
    const { nodes, problems } = compile(
      t,
      moduleOf(`a OBJECT-TYPE SYNTAX OBJECT IDENTIFIER ACCESS read-only STATUS mandatory
${object('b', 'INTEGER', 'acme 1')}`),
    );
    assert.deepEqual(Object.keys(nodes), ['acme', 'b']);
    assert.deepEqual(problems, ['error missing-value 4:1']);
  });

  it('of SMIv1 has ACCESS and the status mandatory', (t) => {
    const { nodes } = compile(
      t,
      moduleOf('a OBJECT-TYPE SYNTAX Gauge ACCESS write-only STATUS mandatory ::= { acme 1 }'),
    );
    const { type, typeName, access, status } = nodes['a']!;
    assert.deepEqual([type, typeName, access, status], ['Gauge32', 'Gauge', 'write-only', 'mandatory']);
  });

  it('has names with negative and hexadecimal numbers, and commas too many or too few', (t) => {
    const { nodes, problems } = compile(
      t,
      moduleOf(object('a', "INTEGER { bad(-1), , up(1) down('0A'H), Other(3), gone, }", 'acme 1')),
    );
    assert.deepEqual(nodes['a']!.enums, { bad: -1, up: 1, down: 10, Other: 3 });
    assert.deepEqual(
      problems.map((problem) => problem.split(' ')[1]),
      ['extra-comma', 'missing-comma', 'enum-name', 'enum-syntax', 'extra-comma'],
    );
  });

  it('has ranges with MIN, MAX, hexadecimal, binary and 64-bit numbers', (t) => {
    const { nodes } = compile(
      t,
      moduleOf(`${object('a', "INTEGER (MIN..-5 | '00'h..'1111'B | 7 | 100..MAX)", 'acme 1')}
${object('b', 'Counter64 (0..18446744073709551615)', 'acme 2')}`),
    );
    assert.deepEqual(nodes['a']!.ranges, [
      { min: -2147483648, max: -5 },
      { min: 0, max: 15 },
      { min: 7, max: 7 },
      { min: 100, max: 2147483647 },
    ]);
    assert.deepEqual(nodes['b']!.ranges, [{ min: 0, max: '18446744073709551615' }]);
  });
});

describe('an OID', () => {
  it('has several numbers, named numbers, and no parent at all', (t) => {
    const { nodes, problems } = compile(
      t,
      moduleOf(`a OBJECT IDENTIFIER ::= { acme 1 2 3 }
b OBJECT IDENTIFIER ::= { iso org(3) dod(6) internet(1) private(4) 1 lab(77) 2 }
c OBJECT IDENTIFIER ::= { lab 9 }
d OBJECT IDENTIFIER ::= { 1 3 6 }
e OBJECT IDENTIFIER ::= { iso(1) org(3) }`),
    );
    assert.deepEqual(
      ['a', 'b', 'c', 'd', 'e', 'lab'].map((name) => nodes[name]?.oid),
      ['1.3.6.1.4.1.9999.1.2.3', '1.3.6.1.4.1.77.2', '1.3.6.1.4.1.77.9', '1.3.6', '1.3', undefined],
    );
    assert.deepEqual(problems, []);
  });

  it('with a name without a number in its middle starts there', (t) => {
    const { nodes, problems } = compile(t, moduleOf('a OBJECT IDENTIFIER ::= { iso org dod 1 }'));
    assert.equal(nodes['a']!.oid, '1.3.6.1');
    assert.deepEqual(problems, ['warning name-in-oid 4:31', 'warning name-in-oid 4:35']);
  });

  it('without OBJECT IDENTIFIER, or without its closing brace, is a warning', (t) => {
    const { nodes, problems } = compile(
      t,
      moduleOf('a ::= { acme 1 }\nb OBJECT IDENTIFIER ::= { acme 2\nc OBJECT IDENTIFIER ::= { acme 3 }'),
    );
    assert.deepEqual(Object.keys(nodes), ['acme', 'a', 'b', 'c']);
    assert.deepEqual(problems, ['warning missing-type 4:1', 'warning missing-brace 5:25']);
  });

  it('with a number above 32 bits is an error', (t) => {
    const { problems } = compile(t, moduleOf('a OBJECT IDENTIFIER ::= { acme 4294967296 }'));
    assert.deepEqual(problems, ['error oid-number 4:32']);
  });
});

describe('a compliance or capability statement', () => {
  it('has its own value, whatever its body says', (t) => {
    const { nodes, problems } = compile(
      t,
      moduleOf(`a MODULE-COMPLIANCE STATUS current DESCRIPTION "D"
  MODULE -- this one
    MANDATORY-GROUPS { g }
    OBJECT x SYNTAX INTEGER { up(1) } MIN-ACCESS read-only DESCRIPTION "E"
  MODULE OTHER-MIB
  ::= { acme 1 }
b AGENT-CAPABILITIES PRODUCT-RELEASE "1" STATUS current DESCRIPTION "D" SUPPORTS IF-MIB INCLUDES { g }
  VARIATION ifAdminStatus SYNTAX INTEGER { up(1) } ::= { acme 2 }`),
    );
    assert.deepEqual([nodes['a']!.kind, nodes['a']!.description], ['compliance', 'D']);
    assert.deepEqual([nodes['b']!.kind, nodes['b']!.oid], ['node', '1.3.6.1.4.1.9999.2']);
    assert.deepEqual(problems, []);
  });
});
