import type { Measured } from './processes.ts';

/** Prints one figure as a line of JSON: per CPU second of the process, and against a yardstick of the same run. */
export function printRatio(
  figure: string,
  measured: Measured,
  yardstick: string,
  its: Measured,
  goal: number,
): void {
  const ratio = perCpuSecond(measured) / perCpuSecond(its);
  printFigure(figure, {
    varbindsPerCpuSecond: Math.round(perCpuSecond(measured)),
    yardstick,
    yardstickVarbindsPerCpuSecond: Math.round(perCpuSecond(its)),
    ratio: Number(ratio.toFixed(2)),
    goal,
    reached: ratio >= goal,
  });
}

export function printFigure(figure: string, facts: Readonly<Record<string, unknown>>): void {
  console.log(JSON.stringify({ figure, ...facts }));
}

function perCpuSecond({ varbinds, cpuSeconds }: Measured): number {
  return varbinds / cpuSeconds;
}
