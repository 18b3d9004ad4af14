import type { ErrorTable } from '../../kernel/errors.ts';

export const outputTestErrors = {
  OUTPUT_NOT_CONFIGURED: 'The configuration has no output "{output}".{suggestion} Its plugins are: {known}.',
  PLUGIN_IS_NO_OUTPUT: '"{output}" is a plugin of kind {kind}, not an output.',
} as const satisfies ErrorTable;
