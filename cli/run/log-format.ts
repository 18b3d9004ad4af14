import picocolors from 'picocolors';
import type { DestinationStream } from 'pino';
import type { LogFormat } from '../../src/kernel/index.ts';
import { plainText } from '../terminal/plain-text.ts';

export interface LogStreamOptions {
  readonly format: LogFormat;
  /** Whether the text goes to a terminal. */
  readonly isTerminal: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  write(text: string): void;
}

/** Writes log lines as text for people or as JSON. `auto` is text on a terminal; only text on a terminal has colours. */
export function openLogStream({ format, isTerminal, env, write }: LogStreamOptions): DestinationStream {
  if (format === 'json' || (format === 'auto' && !isTerminal)) return { write };
  const colours = picocolors.createColors(isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb');
  return { write: (line: string) => write(formatLine(line, colours)) };
}

type Colours = ReturnType<typeof picocolors.createColors>;

/** Time, level, message and reason, then everything else as key=value. Texts come from devices, so all are escaped. */
function formatLine(line: string, colours: Colours): string {
  const { time, level, message, instance: _, repeated: __, error, ...rest } = JSON.parse(line);
  const clock = colours.dim(new Date(time).toLocaleTimeString('en-GB'));
  const parts = [clock, paint(level, colours), plainText(message ?? '')];
  if (error !== undefined) parts.push(colours.red(plainText(error.message ?? String(error))));
  const details = Object.entries(rest).map(([key, value]) => `${key}=${printable(value)}`);
  if (details.length > 0) parts.push(colours.dim(details.join(' ')));
  const stack = listStack(error).map((frame) => `\n    ${colours.dim(plainText(frame))}`);
  return `${parts.join(' ')}${stack.join('')}\n`;
}

/** Of the error that was thrown first, which the others wrap. */
function listStack(
  error: { readonly stack?: readonly string[]; readonly cause?: unknown } | undefined,
): readonly string[] {
  const cause = [error?.cause].flat()[0];
  if (typeof cause === 'object' && cause !== null) return listStack(cause);
  return error?.stack ?? [];
}

/** In quotes where a reader could not see where the value ends. */
function printable(value: unknown): string {
  const isPlain = typeof value === 'string' && /^[^\s"=]+$/.test(value);
  return plainText(isPlain ? value : JSON.stringify(value));
}

function paint(level: string, colours: Colours): string {
  const padded = level.padEnd(5);
  if (level === 'error' || level === 'fatal') return colours.red(padded);
  if (level === 'warn') return colours.yellow(padded);
  return level === 'info' ? colours.green(padded) : colours.dim(padded);
}
