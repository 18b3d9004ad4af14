import { stdout } from 'node:process';
import type { SnmpSession, Varbind } from '../../snmp/index.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { snmpCommandFailure } from './failure.ts';
import { parseRepetitions, type Repetitions } from './options/repetitions.ts';
import type { RequestOptions } from './options/request-options.ts';
import { VarbindOutput } from './output/varbind-output.ts';
import { withSession } from './session.ts';
import { answerUsage } from './usage.ts';

export type Question = 'get' | 'next' | 'bulk';

/** `waywiser get | next | bulk TARGET OID…`: one question, its varbinds as lines. */
export function ask(
  question: Question,
  target: string,
  oids: readonly string[],
  options: RequestOptions,
): Promise<number> {
  return answerUsage(async () => {
    if (question === 'bulk' && options.v === '1') throw snmpCommandFailure('BULK_NEEDS_V2C', {});
    const repetitions = parseRepetitions(options.C);
    const varbinds = await withSession(target, options, (session) =>
      questions[question](session, oids, repetitions),
    );
    await new VarbindOutput(stdout, options).print(varbinds);
    return exitCodes.done;
  });
}

type Asker = (session: SnmpSession, oids: readonly string[], repetitions: Repetitions) => Promise<Varbind[]>;

const questions: Readonly<Record<Question, Asker>> = {
  get: (session, oids) => session.get(oids),
  next: (session, oids) => session.getNext(oids),
  bulk: (session, oids, repetitions) => session.getBulk(oids, repetitions),
};
