import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than any machine needs: how long a test waits is no claim about the product. */
const patienceMs = 20_000;

/** Waits for what must come, looking every two milliseconds; rejects when it does not. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + patienceMs; !(await isTrue()); await sleep(2)) {
    if (performance.now() > end) throw new Error(`Not within ${patienceMs / 1000} s: ${isTrue}`);
  }
}
