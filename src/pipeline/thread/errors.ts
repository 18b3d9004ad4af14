import type { ErrorTable } from '../../kernel/errors.ts';

export const outputThreadErrors = {
  OUTPUT_THREAD_ENDED:
    'The thread of the output {output} ended with exit code {code}. The next attempt starts it again and writes the same batches.',
  OUTPUT_HAS_NO_THREAD:
    'The module {module} of the output {output} has no default export made by defineOutput. Set `module` to the file that has it.',
} as const satisfies ErrorTable;
