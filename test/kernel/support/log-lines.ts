import { createLogger, type Logger } from '../../../src/kernel/logger.ts';

/** A logger and the parsed lines that it has written. */
export function recordLog(): { readonly log: Logger; readonly lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  return { log: createLogger({ level: 'trace', instance: 'test', destination }), lines };
}
