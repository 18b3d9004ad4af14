import { type Flood, flood, type Receiver, share } from './flooded.ts';

export const seconds = Number(process.env['BENCH_SECONDS'] ?? 5);
export const sources = 250;
const warmUpSeconds = 2;
/** Below this share, higher rates say nothing new. */
const hopelessPercent = 50;

export interface Step {
  readonly perSecond: number;
  readonly recordedPercent: number;
  readonly cpuUsEach: number;
  readonly kernelDrops: number;
  /** How long it wrote after the last one was sent. */
  readonly drainSeconds: number;
}

/** Until the code is compiled and the buffers have their size, everything costs more. */
export async function warmUp(program: string, receiver: Receiver, more: Partial<Flood> = {}): Promise<void> {
  await flood(program, receiver, [
    { perSecond: 20_000, seconds: warmUpSeconds, sources, uptime: 1_000, ...more },
  ]);
}

/** `idleUsPerSecond`: the CPU time that the receiver uses without notifications. */
export async function climb(
  program: string,
  receiver: Receiver,
  { rates, idleUsPerSecond }: { readonly rates: readonly number[]; readonly idleUsPerSecond: number },
): Promise<readonly Step[]> {
  const steps: Step[] = [];
  for (const [position, perSecond] of rates.entries()) {
    const step = await measureStep(program, receiver, idleUsPerSecond, {
      perSecond,
      seconds,
      sources,
      uptime: position + 1,
    });
    steps.push(step);
    if (step.recordedPercent < hopelessPercent) break;
  }
  return steps;
}

async function measureStep(
  program: string,
  receiver: Receiver,
  idleUsPerSecond: number,
  what: Flood,
): Promise<Step> {
  const { cpuUs, measuredSeconds, kernelDrops, drainSeconds, results } = await flood(program, receiver, [
    what,
  ]);
  const idleUs = idleUsPerSecond * measuredSeconds;
  const [result] = results;
  return {
    perSecond: what.perSecond,
    recordedPercent: share(result!),
    cpuUsEach: Number(((cpuUs - idleUs) / Math.max(1, result!.recorded)).toFixed(1)),
    kernelDrops,
    drainSeconds,
  };
}
