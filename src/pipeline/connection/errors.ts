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
  OUTPUT_TLS_FILE: 'The file {file} for {server} cannot be read. Correct tls.{option}.',
  OUTPUT_TLS_UNUSABLE:
    'The TLS files for {server} cannot be used: {reason}. Check that tls.ca, tls.cert and tls.key are PEM, and that the key is that of the certificate.',
  HTTP_ADDRESS_UNUSABLE:
    '{plugin} cannot listen on {host} port {port}: {reason}. Stop what is in the way, or choose another `host` or `port`.',
} as const satisfies ErrorTable;
