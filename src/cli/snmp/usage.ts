import { WaywiserError } from '../../kernel/errors.ts';
import { SnmpError } from '../../snmp/index.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { printFailure } from '../terminal/failure.ts';

const usageCodes: ReadonlySet<string> = new Set([
  'OPTION_INVALID',
  'OPTION_MISSING',
  'TARGET_INVALID',
  'BULK_NEEDS_V2C',
  'RECORDING_NAME_INVALID',
  'SECRET_UNRESOLVED',
  'INIT_TARGET_MISSING',
  'INIT_RANGE_INVALID',
  'INIT_RANGE_TOO_LARGE',
  'SNMP_BAD_OID',
  'SNMP_BAD_TARGET',
]);

/** Runs a command; what only another command line can mend is told and answered with the exit code of wrong usage. */
export async function answerUsage(run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    const isKnown = error instanceof WaywiserError || error instanceof SnmpError;
    if (!isKnown || !usageCodes.has(error.code)) throw error;
    printFailure(error);
    return exitCodes.usage;
  }
}
