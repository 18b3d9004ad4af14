/**
 * Starts `work` for each item in order, at most `width` at a time, and waits for all that started. Items are taken as they
 * are needed. After a failure nothing more starts; rejects with the first failure once all have ended.
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
