import type { DraftValue } from './draft-set.ts';

/** YAML in the layout of the definitions that ship. No text can end a line, a comment or a quotation. */

/** A scalar or a key: plain where every YAML reader takes it for this text, otherwise quoted. */
export function scalarText(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value);
  return isPlain(value)
    ? value
    : JSON.stringify(value).replace(/[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g, escapeCharacter);
}

/** A value on one line. */
export function flowText(value: DraftValue): string {
  if (Array.isArray(value)) return `[${value.map(flowText).join(', ')}]`;
  if (typeof value !== 'object') return scalarText(value);
  const pairs = entriesOf(value).map(([key, each]) => `${scalarText(key)}: ${flowText(each)}`);
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
}

/** A key with its value: on one line where that is short and simple, otherwise with a line for each part. */
export function blockLines(key: string, value: DraftValue): string[] {
  const line = `${scalarText(key)}: ${flowText(value)}`;
  if (typeof value !== 'object' || (line.length <= maxFlow && isSimple(value))) return [line];
  if (Array.isArray(value)) return [`${scalarText(key)}:`, ...value.map((each) => `  - ${flowText(each)}`)];
  const below = entriesOf(value as Record<string, DraftValue>).flatMap(([name, each]) =>
    blockLines(name, each),
  );
  return [`${scalarText(key)}:`, ...below.map((each) => `  ${each}`)];
}

/** Comment lines, broken at words. */
export function commentLines(texts: readonly string[]): string[] {
  return texts
    .flatMap((text) => wrap(text.replace(/[\p{C}\u2028\u2029\s]+/gu, ' ').trim()))
    .map((line) => `# ${line}`);
}

const maxFlow = 100;
const maxComment = 118;

function isSimple(value: object): boolean {
  return Object.values(value).every((each) => typeof each !== 'object');
}

function entriesOf(value: object): [string, DraftValue][] {
  return Object.entries(value).filter(([, each]) => each !== undefined);
}

/** Letters first, so that no reader takes it for a number or a date; an OID with a dot in front is no number either. */
function isPlain(text: string): boolean {
  if (/^\.\d+(\.\d+){2,}$/.test(text)) return true;
  return (
    /^[A-Za-z][\w./()+%°-]*( [\w./()+%°-]+)*$|^[A-Za-z]\w*(-\w+)*::[\w.-]+$/.test(text) && !words.test(text)
  );
}

const words = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function wrap(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length + 1 > maxComment) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
