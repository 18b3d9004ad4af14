import { cpuUsage } from 'node:process';

const warmUpSeconds = 0.4;
const measuredSeconds = 0.7;

/** Rows per CPU second of this process. `round` sends rows and returns their number, and is repeated until the result is stable. */
export async function measureRowRate(round: () => Promise<number>): Promise<number> {
  await repeat(round, warmUpSeconds);
  const { rows, seconds } = await repeat(round, measuredSeconds);
  return rows / seconds;
}

async function repeat(round: () => Promise<number>, leastSeconds: number) {
  const begun = cpuUsage();
  let [rows, seconds] = [0, 0];
  while (seconds < leastSeconds) {
    rows += await round();
    const { user, system } = cpuUsage(begun);
    seconds = (user + system) / 1e6;
  }
  return { rows, seconds };
}
