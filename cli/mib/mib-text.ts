import { plainText } from '../terminal/plain-text.ts';

/** One line. What a terminal would obey is escaped, so the data stay the same: MIB files may contain anything. */
export function formatJsonLine(value: unknown, replacer?: (key: string, value: unknown) => unknown): string {
  return plainText(JSON.stringify(value, replacer));
}

/** Indented, otherwise as formatJsonLine. */
export function formatJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2).split('\n').map(plainText).join('\n');
}

/** Text of several lines, each safe to print. */
export function plainLines(text: string): string {
  return text
    .split('\n')
    .map((line) => plainText(line.replaceAll('\t', '    ')))
    .join('\n');
}
