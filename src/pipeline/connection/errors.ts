import type { ErrorTable } from '../../kernel/errors.ts';

export const connectionErrors = {
  SERVER_UNREACHABLE:
    '{server} cannot be reached. Check that it runs there, and that nothing on the way keeps it from answering.',
  SERVER_NOT_TRUSTED:
    'No encrypted connection with {server} comes about. Check tls: which authority its certificate is from, and whether it asks for one of ours.',
  SERVER_REFUSED_LOGIN:
    '{server} does not accept who we say we are. Check name, password, token or certificate in the configuration.',
  SERVER_FORBIDS:
    '{server} does not let us write to {place}. Grant that there, or configure another place or user.',
  SERVER_LACKS_PLACE: '{server} has no {place}. Create it there, or configure another one.',
  HTTP_ADDRESS_UNUSABLE:
    '{plugin} cannot listen on {host} port {port}: {reason}. Stop what is in the way, or choose another `host` or `port`.',
} as const satisfies ErrorTable;
