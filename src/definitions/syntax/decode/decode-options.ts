import type { Scale, Syntax } from '../syntax.ts';

export type TimeUnit = 's' | 'ms' | 'us' | 'ns';

/** What an operator can choose for durations, timestamps and percentages. */
export interface DecodeOptions {
  /** Milliseconds by default. */
  readonly durationUnit?: TimeUnit;
  /** Since 1970; milliseconds by default. */
  readonly timestampUnit?: TimeUnit;
  /** 100 by default: half is 50. With 1, half is 0.5. */
  readonly percentOf?: 1 | 100;
}

const perMillisecond: Readonly<Record<TimeUnit, number>> = { s: 1e-3, ms: 1, us: 1e3, ns: 1e6 };

/** The scale of the syntax, for the chosen unit. */
export function scaleFor(
  syntax: Pick<Syntax, 'scale' | 'dimension' | 'unit'>,
  options: DecodeOptions,
): Scale {
  if (syntax.dimension === undefined) return syntax.scale;
  if (syntax.dimension === 'percent')
    return options.percentOf === 1 ? stretch(syntax.scale, 1, 100) : syntax.scale;
  const factor = perMillisecond[unitFor(syntax, options) as TimeUnit];
  return factor < 1 ? stretch(syntax.scale, 1, Math.round(1 / factor)) : stretch(syntax.scale, factor, 1);
}

export function unitFor(
  syntax: Pick<Syntax, 'unit' | 'dimension'>,
  options: DecodeOptions,
): string | undefined {
  switch (syntax.dimension) {
    case 'duration':
      return options.durationUnit ?? 'ms';
    case 'timestamp':
      return options.timestampUnit ?? 'ms';
    case 'percent':
      return options.percentOf === 1 ? '1' : syntax.unit;
    default:
      return syntax.unit;
  }
}

/** Cancels common factors, so that one of the two stays 1 and the result is rounded once. */
function stretch(scale: Scale, times: number, over: number): Scale {
  const up = scale.times * times;
  const down = scale.over * over;
  const common = greatestCommonDivisor(up, down);
  return { times: up / common, over: down / common };
}

function greatestCommonDivisor(left: number, right: number): number {
  return right === 0 ? left : greatestCommonDivisor(right, left % right);
}
