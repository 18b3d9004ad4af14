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
export function* joinTexts(texts: readonly Buffer[], isDistinct: boolean): Generator<Buffer> {
  const families = new Map<string, Family>();
  for (const text of texts) for (const block of listBlocks(withoutEnd(text))) addBlock(families, block);
  for (const { head, samples } of families.values()) {
    yield head;
    if (isDistinct && samples.length > 1) yield Buffer.concat([...listDistinct(samples)]);
    else yield* samples;
  }
  if (texts.some(endsMetrics)) yield Buffer.from(endOfMetrics);
}

/** The parts of a text that begin with the metadata of a family. */
function* listBlocks(text: Buffer): Generator<Buffer> {
  for (let start = 0; start < text.length; ) {
    let end = start;
    // The lines of metadata, then everything up to the next ones.
    while (text[end] === hash) end = lineEnd(text, end);
    const next = end >= text.length ? -1 : text.indexOf(marker, end - 1);
    const stop = next === -1 ? text.length : next + 1;
    yield text.subarray(start, Math.max(stop, end));
    start = Math.max(stop, end);
  }
}

function addBlock(families: Map<string, Family>, block: Buffer): void {
  let headEnd = 0;
  while (block[headEnd] === hash) headEnd = lineEnd(block, headEnd);
  const name = block.toString('latin1', 0, lineEnd(block, 0)).split(' ')[2];
  if (name === undefined) return;
  const family = families.get(name);
  const samples = block.subarray(headEnd);
  if (family !== undefined) family.samples.push(samples);
  else families.set(name, { head: block.subarray(0, headEnd), samples: [samples] });
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
