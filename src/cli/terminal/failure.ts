import colours from 'picocolors';
import { explainError, WaywiserError } from '../../kernel/errors.ts';
import { hideUrlSecrets } from '../../kernel/url-text.ts';

/** Prints an error: its message with the code, then its causes. */
export function printFailure(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? colours.dim(` [${error.code}]`) : '';
  const [first = '', ...rest] = messageOf(error).split('\n');
  console.error([`${colours.red('error:')} ${first}${code}`, ...rest].join('\n'));
  for (const line of causesOf(error)) console.error(`  because: ${line}`);
}

function messageOf(error: unknown): string {
  return hideUrlSecrets(error instanceof Error ? error.message : String(error));
}

function causesOf(error: unknown): string[] {
  if (error instanceof AggregateError) return error.errors.map(explainCause);
  if (!(error instanceof Error) || error.cause === undefined) return [];
  const root = rootMessageOf(error.cause);
  return root !== '' && error.message.includes(root) ? [] : [explainCause(error.cause)];
}

function explainCause(cause: unknown): string {
  return cause instanceof WaywiserError
    ? `${explainError(cause)}${colours.dim(` [${cause.code}]`)}`
    : explainError(cause);
}

/** The first cause. The message of the error may contain it already. */
function rootMessageOf(cause: unknown): string {
  return cause instanceof Error && cause.cause !== undefined ? rootMessageOf(cause.cause) : messageOf(cause);
}
