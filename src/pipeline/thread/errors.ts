import type { ErrorTable } from '../../kernel/errors.ts';

export const outputThreadErrors = {
  OUTPUT_THREAD_ENDED:
    'The thread of the output {output} ended (exit code {code}). It is started again for the next attempt; what it was writing is tried again.',
  OUTPUT_HAS_NO_THREAD:
    'The module {module} of the output {output} has no default export made by defineOutput. Name the file that has it as `module`.',
} as const satisfies ErrorTable;
