const marker = Buffer.from('\n# ');
const [hash, newline] = ['#'.charCodeAt(0), 10];
const endOfMetrics = '# EOF\n';

interface Family {
  /** HELP, TYPE and UNIT, as the first text has them. */
  readonly head: Buffer;
  readonly samples: Buffer[];
}

/**
 * Joins expositions into one, in which each family has one HELP and one TYPE. With `isDistinct`, a series that several of them have is taken
 * from the first one. Nothing is copied: the chunks are parts of the texts.
 */
export function* joinExpositions(texts: readonly Buffer[], isDistinct: boolean): Generator<Buffer> {
  const families = new Map<string, Family>();
  for (const text of texts) for (const block of listBlocks(withoutEnd(text))) addBlock(families, block);
  for (const { head, samples } of families.values()) {
    yield head;
    if (isDistinct && samples.length > 1) yield Buffer.concat([...listDistinct(samples)]);
    else yield* samples;
  }
  if (texts.some(endsMetrics)) yield Buffer.from(endOfMetrics);
}

interface Block {
  readonly name: string;
  readonly head: Buffer;
  /** Empty for a family that has no series at the moment. */
  readonly samples: Buffer;
}

/** The families of a text. */
function* listBlocks(text: Buffer): Generator<Block> {
  for (let start = 0; start < text.length; ) {
    const name = nameFamily(text, start);
    let headEnd = start;
    while (text[headEnd] === hash && nameFamily(text, headEnd) === name) headEnd = lineEnd(text, headEnd);
    const next = headEnd === 0 ? -1 : text.indexOf(marker, headEnd - 1);
    const end = next === -1 ? text.length : next + 1;
    yield { name, head: text.subarray(start, headEnd), samples: text.subarray(headEnd, end) };
    start = end;
  }
}

/** `# TYPE snmp_up gauge` → `snmp_up`. */
function nameFamily(text: Buffer, start: number): string {
  return text.toString('latin1', start, lineEnd(text, start)).trimEnd().split(' ')[2] ?? '';
}

function addBlock(families: Map<string, Family>, { name, head, samples }: Block): void {
  const family = families.get(name);
  if (family === undefined) families.set(name, { head, samples: [samples] });
  else family.samples.push(samples);
}

function* listDistinct(parts: readonly Buffer[]): Generator<Buffer> {
  const seen = new Set<string>();
  for (const part of parts) {
    const own: string[] = [];
    for (let start = 0; start < part.length; ) {
      const end = lineEnd(part, start);
      const series = nameSeries(part.toString('latin1', start, end));
      if (!seen.has(series)) yield part.subarray(start, end);
      own.push(series);
      start = end;
    }
    for (const series of own) seen.add(series);
  }
}

/** The name and the labels of a sample: everything before the value. */
function nameSeries(line: string): string {
  const end = line.lastIndexOf('}');
  return line.slice(0, end === -1 ? line.indexOf(' ') : end + 1);
}

function lineEnd(text: Buffer, start: number): number {
  const end = text.indexOf(newline, start);
  return end === -1 ? text.length : end + 1;
}

function endsMetrics(text: Buffer): boolean {
  return text.toString('latin1', Math.max(0, text.length - endOfMetrics.length)) === endOfMetrics;
}

function withoutEnd(text: Buffer): Buffer {
  return endsMetrics(text) ? text.subarray(0, text.length - endOfMetrics.length) : text;
}

/** The same exposition with one more label on each series. */
export function labelExposition(text: string, label: string, value: string): string {
  return text.replace(/^(\w+)(\{)?/gm, (_, name: string, open?: string) =>
    open === undefined ? `${name}{${label}="${value}"}` : `${name}{${label}="${value}",`,
  );
}
