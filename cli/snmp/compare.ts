import { formatVarbind } from '../../src/snmp/varbind-text.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { EngineComparison, type VarbindPair } from './engine-comparison.ts';
import type { RequestOptions } from './options/request-options.ts';
import { withSession } from './session.ts';
import { withUsageErrors } from './usage.ts';

/** `waywiser compare TARGET OID`: walks one subtree with Waywiser's engine and with net-snmp. Exit code 1 when they differ. */
export function compare(target: string, oid: string, options: RequestOptions): Promise<number> {
  return withUsageErrors(() =>
    withSession(target, { ...options, engine: 'waywiser' }, (ours) =>
      withSession(target, { ...options, engine: 'net-snmp' }, async (theirs) => {
        const comparison = new EngineComparison(ours, theirs, oid);
        for await (const pair of comparison) {
          if (comparison.different === 1) console.log('--- waywiser\n+++ net-snmp');
          console.log(formatPair(pair));
        }
        const { compared, different, moved } = comparison;
        console.error(`${compared} values compared: ${different} differ, ${moved} changed during the walks.`);
        return different === 0 ? exitCodes.done : exitCodes.failed;
      }),
    ),
  );
}

function formatPair({ ours, theirs }: VarbindPair): string {
  const lines = [ours && `- ${formatVarbind(ours)}`, theirs && `+ ${formatVarbind(theirs)}`];
  return lines.filter((line) => line !== undefined).join('\n');
}
