import { type Event, parseEvents, YAMLException } from 'js-yaml';
import { IndentedBrackets } from './indented-brackets.ts';
import { yamlLimits } from './yaml-limits.ts';

/** A text as its parser saw it. */
export interface YamlEvents {
  readonly events: Event[];
  /** The text that positions in the events refer to. */
  readonly source: string;
  /** The offset in the file of such a position. */
  offsetAt(position: number): number;
}

/**
 * Parses a text. Accepts closing brackets that are indented like the key of their list, which real files contain. Throws
 * the parser's error for the unchanged text.
 */
export function readEvents(text: string): YamlEvents {
  try {
    return { events: parse(text), source: text, offsetAt: (position) => position };
  } catch (error) {
    const events = readIndented(text, error);
    if (events === undefined) throw error;
    return events;
  }
}

function readIndented(text: string, error: unknown): YamlEvents | undefined {
  if (!(error instanceof YAMLException) || error.reason !== 'deficient indentation') return undefined;
  const offset = error.mark?.position ?? 0;
  if (!']}'.includes(text[offset] ?? ' ')) return undefined;
  try {
    const everywhere = IndentedBrackets.after(offset, text);
    const brackets = everywhere.excludeScalars(parse(everywhere.text));
    const events = parse(brackets.text);
    return { events, source: brackets.text, offsetAt: (position) => brackets.originalOffset(position) };
  } catch {
    return undefined;
  }
}

function parse(text: string): Event[] {
  return parseEvents(endLastLine(text), { maxDepth: yamlLimits.maxDepth });
}

/**
 * The parser's errors quote the last line in full when it does not end, and replace each tab: 0.1 s for a mebibyte. A line
 * end behind it changes no value.
 */
function endLastLine(text: string): string {
  const start = text.lastIndexOf('\n') + 1;
  const isCheap = text.length - start < maxQuotedCharacters || !text.includes('\t', start);
  return isCheap ? text : `${text}\n`;
}

const maxQuotedCharacters = 65_536;
