import { pino } from 'pino';
import type { Logger } from '../../kernel/logger.ts';
import { type CarriedError, carryError, reviveError } from './carried-error.ts';
import type { FromThread } from './thread-messages.ts';

type LogMessage = FromThread & { readonly kind: 'log' };

/** A logger of a thread: what it is told goes to the collector's own log. */
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

/** Writes what a thread was told to a log, as if it had been told here. */
export function passOnLog(log: Logger, { level, text, details, errors }: LogMessage): void {
  const name = pino.levels.labels[level] as 'info' | undefined;
  const revived = Object.entries(errors).map(([key, error]) => [key, reviveError(error)] as const);
  log[name ?? 'info']({ ...details, ...Object.fromEntries(revived) }, text);
}

/** Errors by themselves, and all else as JSON has it. */
function split(given: Readonly<Record<string, unknown>>): Pick<LogMessage, 'details' | 'errors'> {
  const details: Record<string, unknown> = {};
  const errors: Record<string, CarriedError> = {};
  for (const [key, value] of Object.entries(given)) {
    if (value instanceof Error) errors[key] = carryError(value);
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
