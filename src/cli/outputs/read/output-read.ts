import { existsSync } from 'node:fs';
import { stdout } from 'node:process';
import type { Writable } from 'node:stream';
import { defineErrors, WaywiserError } from '../../../kernel/errors.ts';
import { exitCodes } from '../../terminal/exit-codes.ts';
import { printFailure } from '../../terminal/failure.ts';
import { fileReasonOf } from '../../terminal/file-reason.ts';
import { TextOutput } from '../../terminal/text-output.ts';
import { outputReadErrors } from './errors.ts';
import { findStoredLines } from './stored-lines.ts';

const failure = defineErrors(outputReadErrors);

/**
 * `waywiser output read PATH…`: prints what is stored there, and on standard error what of it is lost. Reading goes on behind damage,
 * and behind a path that cannot be read.
 */
export async function readOutput(
  paths: readonly string[],
  { gaps = false }: { readonly gaps?: boolean },
  stream: Writable = stdout,
): Promise<number> {
  const output = new TextOutput(stream);
  const total = { batches: 0, rows: 0 };
  let code: number = exitCodes.done;
  for (const path of paths) {
    try {
      if (!(await printPath(path, gaps, output, total))) return code;
    } catch (error) {
      printFailure(
        error instanceof WaywiserError
          ? error
          : failure('STORED_PATH_UNREADABLE', { path, reason: fileReasonOf(error) }),
      );
      code = exitCodes.failed;
    }
  }
  console.error(`${total.rows} rows of ${countBatches(total.batches)}`);
  return code;
}

/** Whether anybody still reads. Throws when something is lost, after all else was printed. */
async function printPath(
  path: string,
  gaps: boolean,
  output: TextOutput,
  total: { batches: number; rows: number },
): Promise<boolean> {
  if (!existsSync(path)) throw failure('STORED_PATH_MISSING', { path });
  const stored = await findStoredLines(path, { gaps });
  if (stored === undefined) throw failure('STORED_PATH_UNKNOWN', { path });
  let damaged = 0;
  for await (const { text, batches, rows, lost } of stored) {
    total.batches += batches;
    total.rows += rows;
    damaged += lost;
    if (!(await output.print(text))) return false;
  }
  if (damaged > 0) throw failure('STORED_BATCHES_LOST', { path, lost: countBatches(damaged) });
  return true;
}

function countBatches(count: number): string {
  return count === 1 ? '1 batch' : `${count} batches`;
}
