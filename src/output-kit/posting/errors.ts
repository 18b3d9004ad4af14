import type { ErrorTable } from '../../kernel/errors.ts';

export const posterErrors = {
  OUTPUT_URL_INVALID:
    'The output has the url "{url}", which is not a URL. Write it as http://host:port/path or https://host:port/path.',
  OUTPUT_URL_HAS_SECRET:
    'The url of the output ({url}) contains a user name or a password. Use the options username and password, and a secret reference for the password.',
  OUTPUT_HEADER_INVALID:
    'The header "{header}" cannot be sent: its name or its value contains characters that are not allowed in a header.',
  OUTPUT_LOGIN_TWICE: 'The output for {url} has more than one login: {ways}. Keep one of them.',
  OUTPUT_PASSWORD_ALONE: 'The output for {url} has a password and no username. Set both, or neither.',
} as const satisfies ErrorTable;
