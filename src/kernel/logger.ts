import { type DestinationStream, type Logger, pino } from 'pino';
import { listCauses } from './errors.ts';

export type { Logger } from 'pino';

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly instance: string;
  /** Where the JSON lines go. */
  readonly destination: DestinationStream;
}

/** The collector's own logger; each plugin gets a child of it that carries the plugin's name. */
export function createLogger({ level, instance, destination }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: { instance },
      messageKey: 'message',
      formatters: { level: (label) => ({ level: label }) },
      errorKey: 'error',
      serializers: { error: describeError, err: describeError },
    },
    destination,
  );
}

/** Code and message of an error and of what caused it. A stack stays out of the log: it is not for operators. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const causes = listCauses(error).map(describeError);
  return {
    ...('code' in error ? { code: error.code } : {}),
    message: error.message,
    ...(causes.length === 0 ? {} : { cause: causes.length === 1 ? causes[0] : causes }),
  };
}
