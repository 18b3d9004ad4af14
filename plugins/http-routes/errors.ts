import type { ErrorTable } from '../../src/index.ts';

export const httpRouteErrors = {
  HTTP_ROUTES_LATE:
    'Routes were added after the HTTP API had started. Add them in the `start` function of your plugin.',
} as const satisfies ErrorTable;
