import type { ErrorTable } from '../kernel/errors.ts';

export const connectionErrors = {
  SERVER_UNREACHABLE:
    '{server} cannot be reached. Check that it is running, that the address is right, and that no firewall blocks the connection.',
  SERVER_NOT_TRUSTED:
    'No encrypted connection to {server} could be made. Check the option tls: the authority that signed the certificate of the server, and whether the server asks for a client certificate.',
  SERVER_REFUSED_LOGIN:
    '{server} refused the login. Check the user name, password, token or certificate in the configuration.',
  SERVER_FORBIDS:
    '{server} does not allow writing to {place}. Grant the permission there, or configure another user or another place.',
  SERVER_LACKS_PLACE: '{server} has no {place}. Create it there, or configure another one.',
  OUTPUT_TLS_FILE: 'The file {file} for {server} cannot be read. Correct tls.{option}.',
  OUTPUT_TLS_UNUSABLE:
    'The TLS files for {server} cannot be used: {reason}. Check that tls.ca, tls.cert and tls.key are PEM files, and that the key belongs to the certificate.',
  HTTP_ADDRESS_UNUSABLE:
    '{plugin} cannot listen on {host} port {port}: {reason}. Stop the program that uses the port, or choose another `host` or `port`.',
} as const satisfies ErrorTable;
