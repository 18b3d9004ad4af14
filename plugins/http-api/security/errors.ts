import type { ErrorTable } from '../../../src/index.ts';

export const httpStartErrors = {
  HTTP_UNPROTECTED:
    'http-api would listen on {host}, where others can reach it, without authentication. Make a token with `waywiser token new`, listen on 127.0.0.1, or set `insecure: true`.',
  HTTP_TLS_UNUSABLE:
    'The TLS files of http-api cannot be used: {reason}. Check `tls` and the files that it names.',
  HTTP_NETWORK_INVALID:
    'http-api cannot read the network {network} of `managed_devices.networks`. Write it as 192.0.2.0/24 or 2001:db8::/64.',
  HTTP_TOKENS_UNREADABLE:
    'The file of tokens {path} cannot be read or holds something else. Remove it and make the tokens again with `waywiser token new`.',
  HTTP_TOKEN_NAME_TAKEN: 'There is a token named "{name}" already. Remove it first, or choose another name.',
  HTTP_TOKEN_NAME_INVALID:
    'A token cannot be named "{name}". Use up to 64 letters, digits, dots, dashes, underscores and @.',
  HTTP_TOKEN_NAME_UNKNOWN: 'There is no token named "{name}".{suggestion}',
} as const satisfies ErrorTable;
