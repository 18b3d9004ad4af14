import { type Batch, gapAt, valueAt } from '../../../../src/index.ts';
import { smallDefinitions } from '../../support/definition-folder.ts';

/** Definitions with the counter of `AskedDevices`. */
export const countedDefinitions = {
  'objects/system.yml': `${smallDefinitions['objects/system.yml']}    counted: { oid: .1.3.6.1.2.1.1.99, name: system.counted, syntax: Integer, metric: counter }\n`,
};

/** The rate of the counter, or the reason why there is none. */
export function countedRateOf({ columns }: Batch): number | string | undefined {
  const rate = columns.find(({ field }) => field === 'system.counted_rate');
  return rate && ((valueAt(rate, 0) as number | undefined) ?? gapAt(rate, 0));
}
