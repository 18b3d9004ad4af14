/** A device is its address and port: two names for one pair are one device. */
export interface DeviceIdentity {
  /** An IP address in its canonical spelling, or a host name. */
  readonly ip: string;
  readonly port: number;
}

/** One text for each address and port: what maps and journals keep devices by. Addresses hold no space, so the last one divides. */
export function deviceKey({ ip, port }: DeviceIdentity): string {
  return `${ip} ${port}`;
}

/** Address and port as labels and logs have them: `192.0.2.1:161`, `[2001:db8::1]:161`. */
export function addressText({ ip, port }: DeviceIdentity): string {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
}

/** A device as events and records name it. */
export interface DeviceRef extends DeviceIdentity {
  readonly name: string;
}

export const deviceStates = ['unknown', 'up', 'suspect', 'down', 'recovering'] as const;
export type DeviceState = (typeof deviceStates)[number];
