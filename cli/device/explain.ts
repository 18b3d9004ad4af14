import type { ApiClient } from '../../src/client/index.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import type { DevicePlace } from './device-text.ts';
import { formatExplanation } from './explanation-text.ts';

export interface ExplainedValue {
  /** OBJECT, or OBJECT.INSTANCE: only the collector knows where the id of an object ends. */
  readonly object: string;
  readonly attribute: string;
  /** An SNMPv3 context of the device. */
  readonly context?: string | undefined;
}

/** Prints how a value came to be at the last poll, or why there is none. */
export async function explainValue(
  client: ApiClient,
  place: DevicePlace,
  value: ExplainedValue,
  { json = false }: { readonly json?: boolean },
): Promise<number> {
  const { body } = await client.call('explainValue', { path: place, query: queryOf(value) });
  console.log(json ? JSON.stringify(body, undefined, 2) : formatExplanation(body));
  return body.reading?.raw === undefined ? exitCodes.failed : exitCodes.done;
}

/** Throws when the definitions have no such object or attribute. */
export async function checkExplainable(
  client: ApiClient,
  place: DevicePlace,
  value: ExplainedValue,
): Promise<void> {
  await client.call('explainValue', { path: place, query: queryOf(value) });
}

function queryOf({ object, attribute, context }: ExplainedValue) {
  return { object, attribute, ...(context === undefined ? {} : { context }) };
}
