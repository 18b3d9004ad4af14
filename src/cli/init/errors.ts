import type { ErrorTable } from '../../kernel/errors.ts';

export const initErrors = {
  INIT_TARGET_MISSING:
    'There is no terminal to ask at. Name a device or a range: waywiser init 192.0.2.0/24 -v2c -c public.',
  INIT_RANGE_INVALID:
    '"{range}" is no range of addresses. Write 192.0.2.0/24 or 192.0.2.10-20, with :PORT behind it where that is not 161.',
  INIT_RANGE_TOO_LARGE: '"{range}" holds {count} addresses, more than {max}. Name a smaller one.',
  INIT_WOULD_OVERWRITE:
    '{directory} has these already: {files}. Name another directory with --into, or move them away.',
  INIT_UNWRITABLE:
    'The configuration cannot be written into {directory}: {reason}. Name another one with --into.',
  INIT_NO_ANSWER:
    'Nobody answered; addresses asked: {count} ({reasons}). Check address, credentials and firewall; nothing was written.',
} as const satisfies ErrorTable;
