import { stdout } from 'node:process';
import { exitCodes } from '../terminal/exit-codes.ts';
import { parseRepetitions } from './options/repetitions.ts';
import type { RequestOptions } from './options/request-options.ts';
import { warnOfPartial } from './output/partial-warning.ts';
import { VarbindOutput } from './output/varbind-output.ts';
import { withSession } from './session.ts';
import { TreeWalk } from './tree-walk.ts';
import { answerUsage } from './usage.ts';

/** `waywiser walk TARGET [OID…]`: everything below, printed as it comes; several subtrees side by side. */
export function walk(target: string, oids: readonly string[], options: RequestOptions): Promise<number> {
  return answerUsage(async () => {
    const { maxRepetitions } = parseRepetitions(options.C);
    const output = new VarbindOutput(stdout, options);
    return withSession(target, options, async (session) => {
      const tree = new TreeWalk(session, oids, maxRepetitions);
      let isEmpty = true;
      for await (const varbinds of tree) {
        isEmpty = false;
        if (!(await output.print(varbinds))) return exitCodes.done;
      }
      // As snmpwalk does: what has nothing below it may be an instance itself.
      if (isEmpty && tree.partial.length === 0) await output.print(await session.get(oids));
      warnOfPartial(tree.partial);
      return tree.partial.length === 0 ? exitCodes.done : exitCodes.failed;
    });
  });
}
