import { type DestinationStream, type Logger, pino } from 'pino';
import { listCauses } from './errors.ts';
import { hideUrlSecrets } from './url-text.ts';

export type { Logger } from 'pino';

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly instance: string;
  /** Where the JSON lines go. */
  readonly destination: DestinationStream;
}

/** The logger of a collector. Each plugin receives a child logger that carries its name. */
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
    { write: (line) => destination.write(hideUrlSecrets(line)) },
  );
}

/** Code and message of an error and of its causes. Stacks are left out: they are not for operators. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const causes = listCauses(error).map(describeError);
  return {
    ...('code' in error ? { code: error.code } : {}),
    message: error.message,
    ...(causes.length === 0 ? {} : { cause: causes.length === 1 ? causes[0] : causes }),
  };
}
