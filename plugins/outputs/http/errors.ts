import type { ErrorTable } from '../../../src/index.ts';

export const httpOutputErrors = {
  OUTPUT_URL_INVALID:
    'The url "{url}" of an output is none. Write it as http://host:port/path or https://host:port/path.',
  OUTPUT_URL_HAS_SECRET:
    'The url of an output ({url}) carries a user name or a password. Give them as username and password, the latter as a secret reference.',
  OUTPUT_HEADER_INVALID:
    'The header "{header}" cannot be sent: its name or its value has characters that no header may have.',
  OUTPUT_LOGIN_TWICE: 'The output for {url} is told more than once who it is: by {ways}. Keep one of them.',
  OUTPUT_PASSWORD_ALONE: 'The output for {url} has a password and no username. Give both, or neither.',
} as const satisfies ErrorTable;
