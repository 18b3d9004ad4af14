import type { ErrorTable } from '../../kernel/errors.ts';

export const offlineDefinitionErrors = {
  DEFINITIONS_DIRECTORY_MISSING:
    'There is no directory {directory}. Name one that holds objects/, devices/ and so on.',
  DEFINITION_NOT_THERE: 'There is no {kind} "{id}" in {directory}.{suggestion}',
} as const satisfies ErrorTable;
