import { usageFailure } from '../cli-errors.ts';

export interface NumberOption {
  /** As it is typed: `--limit`. */
  readonly option: string;
  readonly least: number;
  readonly most?: number;
}

/** The number that an option was given. Throws the code NUMBER_OPTION_INVALID. */
export function parseWholeNumber(text: string, { option, least, most }: NumberOption): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= (most ?? Number.MAX_SAFE_INTEGER)) return value;
  const range = most === undefined ? `from ${least} on` : `from ${least} to ${most}`;
  throw usageFailure('NUMBER_OPTION_INVALID', { option, range, received: text });
}
