import type { ErrorTable } from '../../kernel/errors.ts';

/** Never with what a file or a variable holds: it may be a token. */
export const ctlErrors = {
  CTL_URL_INVALID: '"{url}" is no address of an HTTP API. Write it as in http://127.0.0.1:8080.',
  CTL_TOKEN_UNREADABLE:
    'The token file {file} cannot be read: {reason}. Name one that holds the token in its first line.',
  CTL_TOKEN_EMPTY:
    'The first line of {file} is empty. Write the token there; `waywiser token new` makes one.',
  CTL_DEVICE_UNKNOWN:
    'The collector has no device "{device}".{suggestion} `waywiser ctl devices` lists them.',
  CTL_DEVICE_AMBIGUOUS: '{address} is the address of several devices: {devices}. Name one, or add its port.',
  CTL_SCAN_UNAVAILABLE:
    'The collector scans no networks. Add the plugin network-discovery to its configuration.',
} as const satisfies ErrorTable;
