import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Compiled, compile, moduleOf, object, table } from './support/compile-mibs.ts';

const plain = moduleOf(`Name ::= TEXTUAL-CONVENTION
  DISPLAY-HINT "31a"
  STATUS current
  DESCRIPTION "A name"
  SYNTAX OCTET STRING (SIZE (0..31))
${table('port', 'acme 1').replaceAll(' ', '\n')}
load OBJECT-TYPE
  SYNTAX INTEGER { low(-1), high(2) } -- as "measured"
  UNITS "percent"
  MAX-ACCESS read-only
  STATUS current
  DESCRIPTION "What the port
    carries"
  ::= { acme 2 }`);

/** What a person sees of the nodes. */
function seen(nodes: Compiled['nodes']): Record<string, Record<string, unknown>> {
  return JSON.parse(JSON.stringify(nodes));
}

/** As a word processor writes quotation marks. */
function curled(text: string): string {
  return text.replace(/"([^"]*)"/g, '“$1”');
}

/** In Windows-1252, which has the marks where Latin-1 has control characters. */
function inWindows1252(text: string): Buffer {
  const codes = new Map([...'‘’“”•–—'].map((mark, i) => [mark, 0x91 + i]));
  return Buffer.from([...text].map((mark) => codes.get(mark) ?? mark.charCodeAt(0)));
}

describe('a MIB from a word processor', () => {
  it('has curly quotation marks, which are a warning at the first of them', (t) => {
    const expected = seen(compile(t, plain).nodes);
    for (const bytes of [Buffer.from(curled(plain)), inWindows1252(curled(plain))]) {
      const { nodes, problems } = compile(t, bytes);
      assert.deepEqual(seen(nodes), expected);
      assert.deepEqual(problems, ['warning curly-quotes 5:16']);
    }
  });

  it('may mix them with straight ones', (t) => {
    const { nodes } = compile(
      t,
      moduleOf(`${object('a', 'INTEGER', 'acme 1').replace('"D"', '"the “good” one"')}
${object('b', 'INTEGER', 'acme 2').replace('"D"', '“D"')}
${object('c', 'INTEGER', 'acme 3').replace('"D"', '”D”')}
${object('d', 'INTEGER', 'acme 4').replace('"D"', '"D”')}
${object('e', 'INTEGER', 'acme 5')}`),
    );
    assert.deepEqual(Object.keys(nodes), ['acme', 'a', 'b', 'c', 'd', 'e']);
    assert.equal(nodes['a']!.description, 'the “good” one');
    assert.equal(nodes['b']!.description, 'D');
  });

  it('has dashes for hyphens: a long one starts a comment, a short one a negative number', (t) => {
    const text = plain.replace('--', '—').replace('-1', '–1').replace('"measured"', 'a OBJECT-TYPE');
    for (const bytes of [Buffer.from(text), inWindows1252(text)]) {
      const { nodes, problems } = compile(t, bytes);
      assert.deepEqual(seen(nodes), seen(compile(t, plain).nodes));
      assert.deepEqual(problems, ['warning dash-character 74:24']);
    }
  });
});

/** A page ends anywhere, also inside a description. */
function inOneLine(nodes: Compiled['nodes']) {
  const shown = Object.entries(seen(nodes));
  return shown.map(([name, node]) => ({
    ...node,
    name,
    description: String(node['description']).split(/\s+/),
  }));
}

const pageBreak = `


McCloghrie & Kastenholz     Standards Track                    [Page 12]
\f
RFC 2863                The Interfaces Group MIB               June 2000


`;

describe('a MIB with the pages of an RFC', () => {
  it('is read without their footers and headers, wherever they are', (t) => {
    const expected = compile(t, plain);
    assert.deepEqual(expected.problems, []);
    const lines = plain.split('\n');
    for (let at = 1; at < lines.length; at++) {
      const text = [...lines.slice(0, at), ...pageBreak.split('\n'), ...lines.slice(at)].join('\n');
      const { nodes, problems } = compile(t, text);
      assert.deepEqual(inOneLine(nodes), inOneLine(expected.nodes));
      assert.deepEqual(problems, [`warning page-break ${at + 4}:1`]);
    }
  });

  it('keeps lines that only look like them', (t) => {
    const text = object('a', 'INTEGER', 'acme 1').replace(
      '"D"',
      '"See\nRFC 2863, The Interfaces Group MIB, June 2000\nRFC 2863   Interfaces   June 2000\nand [Page 3]\nof it"',
    );
    const { nodes, problems } = compile(t, moduleOf(text));
    assert.match(nodes['a']!.description!, /^See\nRFC 2863, .*\nRFC 2863 {3}Inter.*\nand \[Page 3\]\nof it$/);
    assert.deepEqual(problems, []);
  });
});
