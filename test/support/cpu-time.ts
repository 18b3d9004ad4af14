import { cpuUsage } from 'node:process';

/** What `work` returns, and the milliseconds of CPU it took: other processes on the machine do not count. */
export function timed<Result>(work: () => Result): [result: Result, cpuMs: number] {
  const began = cpuUsage();
  const result = work();
  const { user, system } = cpuUsage(began);
  return [result, (user + system) / 1000];
}
