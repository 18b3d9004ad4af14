import { WaywiserError } from '../../src/kernel/index.ts';
import { SnmpError } from '../../src/snmp/index.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { printFailure } from '../terminal/failure.ts';

/** Errors of other layers that, in these commands, come from a wrong command line. */
const usageCodes: ReadonlySet<string> = new Set(['SECRET_UNRESOLVED', 'SNMP_BAD_OID', 'SNMP_BAD_TARGET']);

/** Runs a command. Such an error is printed and ends it with the exit code of wrong usage, as the program does with its own. */
export async function withUsageErrors(run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    const isKnown = error instanceof WaywiserError || error instanceof SnmpError;
    if (!isKnown || !usageCodes.has(error.code)) throw error;
    printFailure(error);
    return exitCodes.usage;
  }
}
