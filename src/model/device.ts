/** A device is its address and port: two names for one pair are one device. */
export interface DeviceIdentity {
  /** An IP address in its canonical spelling, or a host name. */
  readonly ip: string;
  readonly port: number;
}

/** A device as events and records name it. */
export interface DeviceRef extends DeviceIdentity {
  readonly name: string;
}

export const deviceStates = ['unknown', 'up', 'suspect', 'down', 'recovering'] as const;
export type DeviceState = (typeof deviceStates)[number];
