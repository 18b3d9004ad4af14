import type { ErrorTable } from '../../kernel/errors.ts';

/** Never with what a file or a variable holds: it may be a token. */
export const ctlErrors = {
  CTL_URL_INVALID: '"{url}" is no address of an HTTP API. Write it as in http://127.0.0.1:8080.',
  CTL_TOKEN_UNREADABLE: 'The token file {file} cannot be read: {reason}.',
  CTL_TOKEN_EMPTY: 'The first line of {file} is empty; it should be the token.',
  CTL_SCAN_UNAVAILABLE:
    'The collector scans no networks. Add the plugin network-discovery to its configuration.',
} as const satisfies ErrorTable;
