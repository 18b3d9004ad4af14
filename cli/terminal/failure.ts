import {
  explainError,
  hideUrlSecrets,
  messageOf,
  systemReasonOf,
  WaywiserError,
} from '../../src/kernel/index.ts';
import { cliFailure, isUsageCode } from '../cli-errors.ts';
import { colours } from './colours.ts';
import { exitCodes } from './exit-codes.ts';

/** Prints an error: its message with the code, then its causes. */
export function printFailure(thrown: unknown): void {
  const error = isOfSystem(thrown)
    ? cliFailure('FILE_UNUSABLE', { path: thrown.path, reason: systemReasonOf(thrown) })
    : thrown;
  const code = error instanceof Error && 'code' in error ? colours.dim(` [${error.code}]`) : '';
  const [first = '', ...rest] = textOf(error).split('\n');
  console.error([`${colours.red('error:')} ${first}${code}`, ...rest].join('\n'));
  for (const line of causesOf(error)) console.error(`  because: ${line}`);
}

/** A mistake in the call has a code of its own. */
export function exitCodeOf(error: unknown): number {
  return error instanceof WaywiserError && isUsageCode(error.code) ? exitCodes.usage : exitCodes.failed;
}

function textOf(error: unknown): string {
  return hideUrlSecrets(error instanceof Error ? messageOf(error) : String(error));
}

function causesOf(error: unknown): string[] {
  if (error instanceof AggregateError) return error.errors.map(explainCause);
  if (!(error instanceof Error) || error.cause === undefined) return [];
  if (isOfSystem(error.cause) && error.message.includes(systemReasonOf(error.cause))) return [];
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
  return cause instanceof Error && cause.cause !== undefined ? rootMessageOf(cause.cause) : textOf(cause);
}

/** Whether the operating system refused something with a file. Its own text is for programmers. */
function isOfSystem(error: unknown): error is Error & { readonly path: string } {
  return error instanceof Error && 'syscall' in error && 'path' in error;
}
