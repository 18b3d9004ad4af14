import assert from 'node:assert/strict';

export interface ParsedSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: string;
  readonly timestamp: string | undefined;
}

export interface ParsedFamily {
  readonly type: string;
  readonly help: string;
  readonly unit: string | undefined;
  readonly samples: readonly ParsedSample[];
}

/**
 * Reads an exposition by the letter of its format and throws at whatever that forbids: families in pieces, samples whose names
 * do not fit the type, escapes that there are none of, the same series twice, a missing end.
 */
export function parseExposition(text: string, openMetrics: boolean): Map<string, ParsedFamily> {
  assert.ok(text === '' || text.endsWith('\n'), 'the last line has no end');
  const lines = text.split('\n').slice(0, -1);
  if (openMetrics) assert.equal(lines.pop(), '# EOF');
  const families = new Map<string, { type: string; help: string; unit?: string; samples: ParsedSample[] }>();
  const series = new Set<string>();
  let current = '';
  for (const line of lines) {
    const meta = /^# (HELP|TYPE|UNIT) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)$/s.exec(line);
    if (meta !== null) {
      const [, keyword, name, rest] = meta as unknown as [string, string, string, string];
      if (keyword === 'HELP') {
        assert.ok(!families.has(name), `${name} comes in pieces`);
        families.set(name, { type: '', help: readEscapes(rest, openMetrics), samples: [] });
        current = name;
      }
      assert.equal(name, current, line);
      const family = families.get(name)!;
      assert.equal(family.samples.length, 0, 'metadata behind samples');
      if (keyword === 'TYPE') family.type = rest;
      if (keyword === 'UNIT') {
        assert.ok(openMetrics && name.endsWith(`_${rest}`), line);
        family.unit = rest;
      }
      continue;
    }
    const sample = parseSample(line);
    const family = families.get(current)!;
    assert.ok(sampleNames(current, family.type, openMetrics).includes(sample.name), `${line} in ${current}`);
    const identity = JSON.stringify([sample.name, Object.entries(sample.labels).sort()]);
    assert.ok(!series.has(identity), `twice: ${line.slice(0, 300)}`);
    series.add(identity);
    family.samples.push(sample);
  }
  return families as Map<string, ParsedFamily>;
}

function sampleNames(family: string, type: string, openMetrics: boolean): string[] {
  if (!openMetrics) {
    assert.ok(['counter', 'gauge'].includes(type), type);
    return [family];
  }
  assert.ok(['counter', 'gauge', 'info', 'stateset'].includes(type), type);
  if (type === 'counter') return [`${family}_total`, `${family}_created`];
  return type === 'info' ? [`${family}_info`] : [family];
}

function parseSample(line: string): ParsedSample {
  const name = /^[a-zA-Z_:][a-zA-Z0-9_:]*/.exec(line)?.[0];
  assert.ok(name !== undefined, `no name: ${line.slice(0, 300)}`);
  const labels: Record<string, string> = {};
  let at = name.length;
  assert.equal(line[at++], '{');
  for (;;) {
    const label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\["\\n])*)"/y;
    label.lastIndex = at;
    const found = label.exec(line) as unknown as [string, string, string] | null;
    assert.ok(found !== null, `no label: ${line.slice(at, at + 200)}`);
    assert.ok(!Object.hasOwn(labels, found[1]) && !found[1].startsWith('__'), found[1]);
    labels[found[1]] = readEscapes(found[2], true);
    at = label.lastIndex;
    if (line[at] !== ',') break;
    at++;
  }
  const rest = /^\} ([+-]?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Inf)|NaN)(?: (-?\d+(?:\.\d+)?))?$/.exec(
    line.slice(at),
  );
  assert.ok(rest !== null, `no value: ${line.slice(at, at + 100)}`);
  return { name, labels, value: rest[1]!, timestamp: rest[2] };
}

function readEscapes(text: string, quotes: boolean): string {
  return text.replace(/\\(.)/gs, (_, character: string) => {
    if (character === 'n') return '\n';
    assert.ok(character === '\\' || (quotes && character === '"'), `\\${character} is no escape`);
    return character;
  });
}
