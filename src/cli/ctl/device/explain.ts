import type { AnswerBody, ApiClient } from '../../../client/index.ts';
import { formatExplanation, type ToldExplanation } from '../../device/explanation-text.ts';
import { exitCodes } from '../../terminal/exit-codes.ts';

export interface ExplainWords {
  readonly ip: string;
  readonly port: string;
  /** OBJECT, or OBJECT.INSTANCE. */
  readonly subject: string;
  readonly attribute: string;
}

/** `waywiser ctl explain IP PORT OBJECT[.INSTANCE] ATTRIBUTE`: how one value came to be at the last poll, or why it did not. */
export async function explain(
  client: ApiClient,
  { ip, port, subject, attribute }: ExplainWords,
  { json, context }: { readonly json?: boolean; readonly context?: string },
): Promise<number> {
  // Only the collector knows where the object's id ends.
  const query = { object: subject, attribute, ...(context === undefined ? {} : { context }) };
  const { body } = await client.call('explainValue', { path: { ip, port }, query });
  console.log(json ? JSON.stringify(body, undefined, 2) : formatExplanation(toldBy(body)));
  return body.reading?.raw === undefined ? exitCodes.failed : exitCodes.done;
}

function toldBy(answer: AnswerBody<'explainValue'>): ToldExplanation {
  const { state, since, why, inventory, reading, lastFailure, ...rest } = answer;
  return {
    ...rest,
    status: { state, sinceMs: Date.parse(since), why },
    inventory: inventory && { ...inventory, discoveredMs: Date.parse(inventory.discoveredAt) },
    reading: reading && {
      ...reading,
      slotMs: reading.slotAt === undefined ? 0 : Date.parse(reading.slotAt),
    },
    lastFailure: lastFailure && { code: lastFailure.code, atMs: Date.parse(lastFailure.at) },
  };
}
