import colours from 'picocolors';
import { explainError } from '../../kernel/errors.ts';

/** Tells a person what went wrong: the sentence, what caused it, and the code to look up. */
export function printFailure(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? colours.dim(` [${error.code}]`) : '';
  console.error(`${colours.red('error:')} ${messageOf(error)}${code}`);
  for (const line of causesOf(error)) console.error(`  because: ${line}`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function causesOf(error: unknown): string[] {
  if (error instanceof AggregateError) return error.errors.map(explainError);
  return error instanceof Error && error.cause !== undefined ? [explainError(error.cause)] : [];
}
