import type { ErrorTable } from '../../../src/index.ts';

export const httpStartErrors = {
  HTTP_UNPROTECTED:
    'http-api would listen on {host}, where others can reach it, without authentication. Make a token with `waywiser token new` or a password with `waywiser password new`, listen on 127.0.0.1, or set `insecure: true`.',
  HTTP_TLS_UNUSABLE:
    'The TLS files of http-api cannot be used: {reason}. Check `tls` and the files that it names.',
  HTTP_NETWORK_INVALID:
    'http-api cannot read the network {network} of `managed_devices.networks`. Write it as 192.0.2.0/24 or 2001:db8::/64.',
  HTTP_CREDENTIALS_UNREADABLE:
    'The file of {kind}s {path} cannot be read or holds something else. Remove it and make them again with `waywiser {kind} new`.',
  HTTP_CREDENTIAL_NAME_TAKEN:
    'There is a {kind} named "{name}" already. Remove it first, or choose another name.',
  HTTP_CREDENTIAL_NAME_INVALID:
    'A {kind} cannot be named "{name}". Use up to 64 letters, digits, dots, dashes, underscores and @.',
  HTTP_CREDENTIAL_NAME_UNKNOWN: 'There is no {kind} named "{name}".{suggestion}',
  HTTP_PASSWORD_UNFIT: 'The password has {length} characters. Use from {min} to {max}.',
} as const satisfies ErrorTable;
