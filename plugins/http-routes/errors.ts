import type { ErrorTable } from '../../src/index.ts';

export const httpRouteErrors = {
  HTTP_ROUTES_LATE:
    'Routes or devices were added after the HTTP API had started. Add them in the `start` function of your plugin.',
  HTTP_DEVICES_TWICE:
    'Two plugins tell the HTTP API which devices there are. The built-in plugin snmp-api does it already: remove `addDevices` from the other one.',
} as const satisfies ErrorTable;
