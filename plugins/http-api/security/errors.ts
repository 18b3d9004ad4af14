import type { ErrorTable } from '../../../src/index.ts';

export const httpStartErrors = {
  HTTP_UNPROTECTED:
    'http-api would listen on {host} without authentication, and other hosts can reach this address. Create a token with `waywiser token new` or a password with `waywiser password new`, listen on 127.0.0.1, or set `insecure: true`.',
  HTTP_TLS_UNUSABLE: 'http-api cannot use its TLS files: {reason}. Check the files in `tls`.',
  HTTP_NETWORK_INVALID:
    'http-api cannot read the network {network} in `managed_devices.networks`. Write it as 192.0.2.0/24 or 2001:db8::/64.',
  HTTP_CREDENTIALS_UNREADABLE:
    'The {kind} file {path} cannot be read or is damaged. If it belongs to another user, run the command as the one who runs the collector. If it is damaged, remove it, and create new {kind}s with `waywiser {kind} new`.',
  HTTP_CREDENTIAL_NAME_TAKEN:
    'A {kind} named "{name}" exists already. Remove it first, or choose another name.',
  HTTP_CREDENTIAL_NAME_INVALID:
    'A {kind} cannot be named "{name}". Use up to 64 letters, digits, dots, dashes, underscores and @.',
  HTTP_CREDENTIAL_NAME_UNKNOWN: 'There is no {kind} named "{name}".{suggestion}',
  HTTP_PASSWORD_UNFIT: 'The password has {length} characters. Use from {min} to {max}.',
} as const satisfies ErrorTable;
