/**
 * Which of the records that wait are notices of drops, by their numbers. Those that an earlier process left are taken for others,
 * which makes one more notice of each and no endless row of them.
 */
export class QueuedNotices {
  /** Ascending. */
  #numbers: number[] = [];

  add(number: number): void {
    this.#numbers.push(number);
  }

  /** Forgets those before `number` and answers how many they were. */
  forgetBefore(number: number): number {
    const first = this.#numbers.findIndex((each) => each >= number);
    return this.#numbers.splice(0, first === -1 ? Number.POSITIVE_INFINITY : first).length;
  }
}
