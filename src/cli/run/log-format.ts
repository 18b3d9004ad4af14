import colours from 'picocolors';
import type { DestinationStream } from 'pino';

/** Writes log lines as coloured text when standard error is a terminal, otherwise as JSON. */
export function openLogStream(isTerminal: boolean, write: (text: string) => void): DestinationStream {
  return { write: (line: string) => write(isTerminal ? formatLine(line) : line) };
}

function formatLine(line: string): string {
  const { time, level, plugin, message, instance: _, error, ...rest } = JSON.parse(line);
  const clock = colours.dim(new Date(time).toLocaleTimeString('en-GB'));
  const details = Object.entries(rest).map(([key, value]) => `${key}=${printable(value)}`);
  const where = plugin === undefined ? '' : `${colours.cyan(plugin)} `;
  const why = error === undefined ? '' : ` ${colours.red(error.message ?? error)}`;
  const stack = listStack(error).map((frame) => `\n    ${colours.dim(frame)}`);
  const tail = details.length === 0 ? '' : ` ${colours.dim(details.join(' '))}`;
  return `${clock} ${paint(level)} ${where}${message}${why}${tail}${stack.join('')}\n`;
}

/** Of the error that was thrown first, which the others wrap. */
function listStack(
  error: { readonly stack?: readonly string[]; readonly cause?: unknown } | undefined,
): readonly string[] {
  const cause = [error?.cause].flat()[0];
  if (typeof cause === 'object' && cause !== null) return listStack(cause);
  return error?.stack ?? [];
}

function printable(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function paint(level: string): string {
  const padded = level.padEnd(5);
  if (level === 'error') return colours.red(padded);
  if (level === 'warn') return colours.yellow(padded);
  return level === 'info' ? colours.green(padded) : colours.dim(padded);
}
