/** What the program needs of the receiver: how it names failures, and notifications as records without a collector. */

export { trapFailure } from './errors.ts';

/** Only records need the definitions and their decoders. */
export const loadTrapRecorder = () => import('./record/offline-records.ts');
