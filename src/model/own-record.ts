const ownPrefix = 'waywiser::';

/** The name of a record that Waywiser itself makes: about events, or about the health of a device. */
export function ownRecord(name: string): string {
  return `${ownPrefix}${name}`;
}

/** Whether a record is about a device, not from it: it goes on while the device is down. */
export function isOwnRecord(record: string): boolean {
  return record.startsWith(ownPrefix);
}
