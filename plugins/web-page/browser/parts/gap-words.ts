const words: Readonly<Record<string, readonly [short: string, sentence: string]>> = {
  timeout: ['no reply', 'The device did not reply in time.'],
  noSuchObject: ['not there', 'The device does not have this object.'],
  noSuchInstance: ['no such row', 'The device does not have this row any more.'],
  authentication: ['refused', 'The device refused the credentials.'],
  budget: ['out of time', 'The poll had no time left for it.'],
  down: ['down', 'The device was down, so it was not asked.'],
  decode: ['unreadable', 'The device sent something that the definition cannot decode.'],
  overridden: ['replaced', 'Another attribute supplies this value.'],
  filtered: ['filtered', 'A processor removed it.'],
  refused: ['refused', 'The device refused the request.'],
  unseeded: ['first reading', 'A rate needs two readings, and this was the first one.'],
  reset: ['counter reset', 'The counter started again, so there is no rate.'],
  empty: ['empty', 'The device sent an empty value.'],
  absent: ['marked absent', 'The device sent the number that means that there is no value.'],
  unpolled: ['not polled', 'Nothing was polled: the collector did not run, or polled something else.'],
};

/** Why a value is missing, in a few words. A reason of a newer collector is shown as it is. */
export function shortGap(reason: string): string {
  return words[reason]?.[0] ?? reason;
}

/** Why a value is missing, as a sentence. */
export function explainGap(reason: string): string {
  return words[reason]?.[1] ?? `The value is missing: ${reason}.`;
}

/** Reasons that need a person. The others are a property of the device. */
export function isTroublesome(reason: string): boolean {
  return ['timeout', 'authentication', 'budget', 'decode', 'refused', 'down'].includes(reason);
}
