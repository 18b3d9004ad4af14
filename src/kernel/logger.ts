import { type DestinationStream, type LogFn, type Logger, pino } from 'pino';
import { listCauses, messageOf } from './errors.ts';
import { RepeatedLines } from './repeated-lines.ts';
import { hideUrlSecrets } from './url-text.ts';

export type { Logger } from 'pino';

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];
export const logFormats = ['auto', 'text', 'json'] as const;
export type LogFormat = (typeof logFormats)[number];

const warnLevel = pino.levels.values['warn']!;

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly instance: string;
  /** Where the JSON lines go. */
  readonly destination: DestinationStream;
  /** Adds the stack to each error, for the authors of plugins. */
  readonly hasStacks?: boolean;
}

/**
 * The logger of a collector. Each plugin receives a child logger that carries its name. Repeated warnings about one device
 * are counted; `flush` writes the counts.
 */
export function createLogger({ level, instance, destination, hasStacks = false }: LoggerOptions): Logger {
  const describe = (error: unknown) => describeError(error, hasStacks);
  const repeated = new RepeatedLines();
  const target = {
    write: (line: string) => destination.write(hideUrlSecrets(line)),
    flush: () => repeated.flush(),
  };
  return pino(
    {
      level,
      base: { instance },
      messageKey: 'message',
      formatters: { level: (label) => ({ level: label }) },
      errorKey: 'error',
      serializers: { error: describe, err: describe },
      hooks: {
        logMethod(args, method, levelValue) {
          const write = (line: readonly unknown[]) => method.apply(this, line as Parameters<LogFn>);
          if (levelValue < warnLevel) return write(args);
          repeated.accept({ origin: this.bindings()['plugin'], args, write });
        },
      },
    },
    target,
  );
}

/** Code and message of an error and of its causes. Stacks are not for operators, so they are left out unless they are asked for. */
function describeError(error: unknown, hasStacks: boolean): unknown {
  if (!(error instanceof Error)) return String(error);
  const causes = listCauses(error).map((cause) => describeError(cause, hasStacks));
  return {
    ...('code' in error ? { code: error.code } : {}),
    message: messageOf(error),
    ...(hasStacks ? { stack: listFrames(error) } : {}),
    ...(causes.length === 0 ? {} : { cause: causes.length === 1 ? causes[0] : causes }),
  };
}

/** The places that the stack names, without the message and without those of Node.js itself. */
function listFrames({ stack = '' }: Error): readonly string[] {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line) && !line.includes('node:'));
  return frames.map((line) => line.trim());
}
