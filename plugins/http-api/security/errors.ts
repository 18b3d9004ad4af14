import type { ErrorTable } from '../../../src/index.ts';

export const httpStartErrors = {
  HTTP_UNPROTECTED:
    'http-api would listen on {host}, where others can reach it, without authentication. Make a token with `waywiser token new`, listen on 127.0.0.1, or set `insecure: true`.',
} as const satisfies ErrorTable;
