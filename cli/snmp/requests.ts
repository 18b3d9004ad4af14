import { stdout } from 'node:process';
import type { SnmpSession, Varbind } from '../../src/snmp/index.ts';
import { usageFailure } from '../cli-errors.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { chooseNaming } from './naming.ts';
import { parseRepetitions, type Repetitions, type RequestOptions } from './options/request-options.ts';
import { warnOfPartial } from './output/partial-warning.ts';
import { VarbindOutput } from './output/varbind-output.ts';
import { withSession } from './session.ts';
import { TreeWalk } from './tree-walk.ts';
import { withUsageErrors } from './usage.ts';

export type Question = 'get' | 'next' | 'bulk';

/** `waywiser get | next | bulk TARGET OID…`: sends one request and prints the varbinds of the reply, one per line. */
export function ask(
  question: Question,
  target: string,
  words: readonly string[],
  options: RequestOptions,
): Promise<number> {
  return withUsageErrors(async () => {
    if (question === 'bulk' && options.v === '1') throw usageFailure('BULK_NEEDS_V2C', {});
    const repetitions = parseRepetitions(options.C);
    const naming = await chooseNaming(options, words);
    const oids = words.map(naming.resolve);
    const varbinds = await withSession(target, options, (session) =>
      questions[question](session, oids, repetitions),
    );
    await new VarbindOutput(stdout, naming.format).print(varbinds);
    return exitCodes.done;
  });
}

type Asker = (session: SnmpSession, oids: readonly string[], repetitions: Repetitions) => Promise<Varbind[]>;

const questions: Readonly<Record<Question, Asker>> = {
  get: (session, oids) => session.get(oids),
  next: (session, oids) => session.getNext(oids),
  bulk: (session, oids, repetitions) => session.getBulk(oids, repetitions),
};

/** `waywiser walk TARGET [OID…]`: prints everything below the OIDs as it arrives; several subtrees are walked in parallel. */
export function walk(target: string, words: readonly string[], options: RequestOptions): Promise<number> {
  return withUsageErrors(async () => {
    const { maxRepetitions } = parseRepetitions(options.C);
    const naming = await chooseNaming(options, words);
    const oids = words.map(naming.resolve);
    const output = new VarbindOutput(stdout, naming.format);
    return withSession(target, options, async (session) => {
      const tree = new TreeWalk(session, oids, maxRepetitions);
      let isEmpty = true;
      for await (const varbinds of tree) {
        isEmpty = false;
        if (!(await output.print(varbinds))) return exitCodes.done;
      }
      // As snmpwalk does: an OID with nothing below it may be an instance itself.
      if (isEmpty && tree.partial.length === 0) await output.print(await session.get(oids));
      warnOfPartial(tree.partial);
      return tree.partial.length === 0 ? exitCodes.done : exitCodes.failed;
    });
  });
}
