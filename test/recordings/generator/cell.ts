/** A value with its type, as a line of `.snmprec` ends: `TAG|VALUE`. */
export type Cell = string;

/** A cell of each type. */
export const cell = {
  int: (value: number): Cell => `2|${value}`,
  oid: (value: string): Cell => `6|${value}`,
  ip: (value: string): Cell => `64|${value}`,
  counter32: (value: number): Cell => `65|${value}`,
  gauge: (value: number): Cell => `66|${value}`,
  ticks: (value: number): Cell => `67|${value}`,
  counter64: (value: bigint): Cell => `70|${value}`,
  /** Octets in hexadecimal. */
  hex: (octets: string): Cell => `4x|${octets.toLowerCase()}`,
  /** Latin-1; in hexadecimal when a line cannot hold it as it is. */
  text: (value: string): Cell =>
    /^$|^[!-~]([ -~]*[!-~])?$/.test(value)
      ? `4|${value}`
      : cell.hex(Buffer.from(value, 'latin1').toString('hex')),
  /** net-snmp's Float inside an Opaque. */
  float: (value: number): Cell => {
    const octets = Buffer.from('9f780400000000', 'hex');
    octets.writeFloatBE(value, 3);
    return `68x|${octets.toString('hex')}`;
  },
} as const;
