import type { ErrorTable } from '../../kernel/errors.ts';

export const authoringErrors = {
  TEMPLATE_UNKNOWN: 'There is no kind of package "{template}".{suggestion} Choose one of: {known}.',
  DIRECTORY_NOT_EMPTY: 'The directory {directory} is not empty. Name a new one.',
  PACKAGE_UNWRITABLE: 'The package cannot be written into {directory}: {reason}. Name another directory.',
  PACKAGE_NAME_INVALID:
    'The directory name "{name}" cannot be a package name. Use lower-case letters, digits and hyphens, a letter first.',
} as const satisfies ErrorTable;
