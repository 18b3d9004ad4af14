import { existsSync } from 'node:fs';
import { stdout } from 'node:process';
import type { Writable } from 'node:stream';
import { systemReasonOf, WaywiserError } from '../../src/kernel/index.ts';
import { cliFailure } from '../cli-errors.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { printFailure } from '../terminal/failure.ts';
import { counted } from '../terminal/plain-text.ts';
import { TextOutput } from '../terminal/text-output.ts';
import { findStoredLines } from './stored-lines.ts';

/**
 * `waywiser output read PATH…`: prints the stored rows, and on standard error how many batches are lost. It goes on after
 * damaged bytes, and after a path that cannot be read.
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
          : cliFailure('STORED_PATH_UNREADABLE', { path, reason: systemReasonOf(error) }),
      );
      code = exitCodes.failed;
    }
  }
  console.error(`${counted(total.rows, 'row')} of ${countBatches(total.batches)}`);
  return code;
}

/** False when the reader closed the pipe. Throws when batches are lost, after all others were printed. */
async function printPath(
  path: string,
  gaps: boolean,
  output: TextOutput,
  total: { batches: number; rows: number },
): Promise<boolean> {
  if (!existsSync(path)) throw cliFailure('STORED_PATH_MISSING', { path });
  const stored = await findStoredLines(path, { gaps });
  if (stored === undefined) throw cliFailure('STORED_PATH_UNKNOWN', { path });
  let damaged = 0;
  for await (const { text, batches, rows, lost } of stored) {
    total.batches += batches;
    total.rows += rows;
    damaged += lost;
    if (!(await output.print(text))) return false;
  }
  if (damaged > 0) throw cliFailure('STORED_BATCHES_LOST', { path, lost: countBatches(damaged) });
  return true;
}

function countBatches(count: number): string {
  return counted(count, 'batch', 'batches');
}
