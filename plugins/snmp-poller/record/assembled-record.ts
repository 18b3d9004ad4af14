import type { NameTally } from '../../../src/definitions/index.ts';
import type { Batch } from '../../../src/index.ts';
import type { PollColumns } from '../../../src/snmp/index.ts';
import type { DeviceTime } from '../counter/device-time.ts';

/** What all records of one poll share. */
export interface FinishedPoll {
  readonly columns: PollColumns;
  readonly readsForeign: boolean;
  readonly at: DeviceTime;
  /** Counts values without a name in their enum. */
  readonly names: NameTally;
}

/** The part of a batch that comes from the values of the poll. */
export type AssembledRecord = Pick<Batch, 'record' | 'rows' | 'columns'>;
