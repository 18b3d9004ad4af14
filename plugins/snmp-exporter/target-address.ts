import { isIP } from 'node:net';

export interface TargetAddress {
  readonly ip: string;
  /** Undefined when the target names none. */
  readonly port: number | undefined;
}

/** `192.0.2.1`, `192.0.2.1:1161`, `[2001:db8::1]:161`, `udp://192.0.2.1`. Undefined for a host name: a name may lead anywhere. */
export function parseTarget(target: string): TargetAddress | undefined {
  const text = target.replace(/^udp:\/\//, '');
  if (isIP(text) !== 0) return { ip: text, port: undefined };
  const [, bracketed, plain, portText = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const ip = bracketed ?? plain ?? '';
  const port = portText === '' ? undefined : Number(portText);
  if (isIP(ip) === 0 || port === 0 || (port ?? 0) > 65_535) return undefined;
  return { ip, port };
}
