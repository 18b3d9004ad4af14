import { exitCodes } from '../../terminal/exit-codes.ts';
import type { RequestOptions } from '../options/request-options.ts';
import { formatVarbind } from '../output/varbind-text.ts';
import { withSession } from '../session.ts';
import { answerUsage } from '../usage.ts';
import { EngineComparison } from './engine-comparison.ts';
import type { VarbindPair } from './varbind-pairs.ts';

/** `waywiser compare TARGET OID`: one subtree, walked by our engine and by net-snmp. Answers 1 when they differ. */
export function compare(target: string, oid: string, options: RequestOptions): Promise<number> {
  return answerUsage(() =>
    withSession(target, { ...options, engine: 'waywiser' }, (ours) =>
      withSession(target, { ...options, engine: 'net-snmp' }, async (theirs) => {
        const comparison = new EngineComparison(ours, theirs, oid);
        for await (const pair of comparison) {
          if (comparison.different === 1) console.log('--- waywiser\n+++ net-snmp');
          console.log(formatPair(pair));
        }
        const { compared, different, moved } = comparison;
        console.error(`${compared} compared: ${different} differ, ${moved} changed while they were read.`);
        return different === 0 ? exitCodes.done : exitCodes.failed;
      }),
    ),
  );
}

function formatPair({ ours, theirs }: VarbindPair): string {
  const lines = [ours && `- ${formatVarbind(ours)}`, theirs && `+ ${formatVarbind(theirs)}`];
  return lines.filter((line) => line !== undefined).join('\n');
}
