/**
 * Starts `work` for each item in order, at most `width` at a time, and waits until all have ended. Takes an item only when it can start.
 * After a failure it starts no more work, and rejects with the first failure once the running work has ended.
 */
export async function runInWindow<Item>(
  items: Iterable<Item>,
  width: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  const rest = items[Symbol.iterator]();
  const lane = async () => {
    while (failures.length === 0) {
      const next = rest.next();
      if (next.done === true) return;
      try {
        await work(next.value);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
  if (failures.length > 0) throw failures[0];
}
