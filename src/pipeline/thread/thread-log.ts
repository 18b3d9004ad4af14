import { pino } from 'pino';
import type { Logger } from '../../kernel/logger.ts';
import { type FromThread, type PackedError, packError, unpackError } from './thread-messages.ts';

type LogMessage = FromThread & { readonly kind: 'log' };

/** The logger of a thread: it sends every entry to the log of the collector. */
export function createThreadLog(level: string, send: (message: LogMessage) => void): Logger {
  return pino({
    level,
    hooks: {
      logMethod(args: readonly unknown[], _, levelNumber) {
        const [first, second] = args;
        const given = typeof first === 'string' ? {} : { ...(first as object) };
        const text = String((typeof first === 'string' ? first : second) ?? '');
        send({ kind: 'log', level: levelNumber, text, ...split({ ...this.bindings(), ...given }) });
      },
    },
  });
}

/** Writes an entry of a thread to the log of the collector, as if it had been logged here. */
export function forwardLog(log: Logger, { level, text, details, errors }: LogMessage): void {
  const name = pino.levels.labels[level] as 'info' | undefined;
  const unpacked = Object.entries(errors).map(([key, error]) => [key, unpackError(error)] as const);
  log[name ?? 'info']({ ...details, ...Object.fromEntries(unpacked) }, text);
}

/** Separates errors from all other details, which are sent as JSON has them. */
function split(given: Readonly<Record<string, unknown>>): Pick<LogMessage, 'details' | 'errors'> {
  const details: Record<string, unknown> = {};
  const errors: Record<string, PackedError> = {};
  for (const [key, value] of Object.entries(given)) {
    if (value instanceof Error) errors[key] = packError(value);
    else details[key] = toPlain(value);
  }
  return { details, errors };
}

function toPlain(value: unknown): unknown {
  try {
    return typeof value === 'object' ? JSON.parse(JSON.stringify(value)) : String(value) && value;
  } catch {
    return String(value);
  }
}
