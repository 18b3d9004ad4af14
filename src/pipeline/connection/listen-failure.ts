import { connectionFailure } from './connection-failure.ts';

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there',
  EADDRNOTAVAIL: 'no interface of this machine has the address',
  EACCES: 'this user may not open the port',
  ENOTFOUND: 'nobody knows the name',
};

/** What it means for a person that a plugin's server could not be started. */
export function nameListenFailure(
  plugin: string,
  { host, port }: { readonly host: string; readonly port: number },
  error: unknown,
): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = reasons[code] ?? (code || 'the system refuses it');
  return connectionFailure('HTTP_ADDRESS_UNUSABLE', { plugin, host, port, reason }, error);
}
