import assert from 'node:assert/strict';

export interface ReadPoint {
  readonly measurement: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string | boolean | { readonly integer: string } | number>>;
  readonly time: string;
}

/** Reads line protocol strictly as documented, and throws for anything else. */
export function readPoints(text: string): ReadPoint[] {
  let at = 0;
  const isAt = (character: string) => text[at] === character;
  const expect = (character: string) => {
    assert.equal(
      text[at],
      character,
      `at ${at} of ${JSON.stringify(text.slice(Math.max(0, at - 40), at + 20))}`,
    );
    at++;
  };
  /** Reads up to an unescaped separator. A backslash is an escape only before a separator. */
  const readKey = (separators: string): string => {
    let key = '';
    while (at < text.length && !separators.includes(text[at]!) && text[at] !== '\n') {
      if (text[at] === '\\' && ',= '.includes(text[at + 1] ?? '_')) at++;
      key += text[at++];
    }
    assert.notEqual(key, '', `an empty key at ${at}`);
    assert.doesNotMatch(key, /\p{Cc}/u);
    return key;
  };
  const readText = (): string => {
    let value = '';
    for (expect('"'); !isAt('"'); at++) {
      assert.ok(at < text.length, 'a text without end');
      if (isAt('\\') && '"\\'.includes(text[at + 1] ?? '_')) at++;
      value += text[at];
    }
    at++;
    return value;
  };
  const readField = () => {
    if (isAt('"')) return readText();
    const value = readKey(', ');
    if (value === 'true' || value === 'false') return value === 'true';
    if (/^\d+[iu]$/.test(value)) return { integer: value };
    assert.match(value, /^-?\d+(\.\d+)?(e[+-]?\d+)?$/);
    return Number(value);
  };

  const points: ReadPoint[] = [];
  while (at < text.length) {
    const measurement = readKey(', ');
    const tags: Record<string, string> = {};
    const fields: ReadPoint['fields'] & Record<string, unknown> = {};
    while (isAt(',')) {
      at++;
      const tag = readKey('=');
      expect('=');
      assert.ok(!Object.hasOwn(tags, tag), `the tag ${tag} twice`);
      tags[tag] = readKey(', ');
    }
    assert.deepEqual(Object.keys(tags), Object.keys(tags).sort());
    expect(' ');
    for (let isFirst = true; isFirst || isAt(','); isFirst = false) {
      if (!isFirst) expect(',');
      const field = readKey('=');
      expect('=');
      (fields as Record<string, unknown>)[field] = readField();
    }
    expect(' ');
    const time = readKey(' ');
    assert.match(time, /^\d+$/);
    expect('\n');
    points.push({ measurement, tags, fields, time });
  }
  return points;
}
