import { usageFailure } from '../cli-errors.ts';

export interface NumberOption {
  /** As on the command line: `--limit`. */
  readonly option: string;
  readonly least: number;
  readonly most?: number;
}

/** Reads the value of a number option. Throws NUMBER_OPTION_INVALID. */
export function parseWholeNumber(text: string, { option, least, most }: NumberOption): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= (most ?? Number.MAX_SAFE_INTEGER)) return value;
  const range = most === undefined ? `of at least ${least}` : `from ${least} to ${most}`;
  throw usageFailure('NUMBER_OPTION_INVALID', { option, range, received: text });
}
