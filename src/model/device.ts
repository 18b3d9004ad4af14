/** A device is identified by its address and port: two names for the same pair are one device. */
export interface DeviceIdentity {
  /** An IP address in its canonical form, or a host name. */
  readonly ip: string;
  readonly port: number;
}

/** The key of a device in maps and journals. Addresses contain no space, so the last space separates the port. */
export function deviceKey({ ip, port }: DeviceIdentity): string {
  return `${ip} ${port}`;
}

/** Address and port for labels and logs: `192.0.2.1:161`, `[2001:db8::1]:161`. */
export function addressText({ ip, port }: DeviceIdentity): string {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
}

/** A device as events and records name it. */
export interface DeviceRef extends DeviceIdentity {
  readonly name: string;
}

export const deviceStates = ['unknown', 'up', 'suspect', 'down', 'recovering'] as const;
export type DeviceState = (typeof deviceStates)[number];
