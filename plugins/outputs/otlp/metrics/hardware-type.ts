/** `hw.type` of a sensor: by its class where that says it, otherwise by the part that it belongs to. */
const typesByClass: Readonly<Record<string, string>> = {
  temperature: 'temperature',
  voltage: 'voltage',
  fan_speed: 'fan',
  fan_level: 'fan',
  charge: 'battery',
};
const typesByPart: Readonly<Record<string, string>> = {
  supply: 'power_supply',
  disk: 'physical_disk',
  chassis: 'enclosure',
  transceiver: 'network',
};

export function hardwareType(sensorClass: string | undefined, part: string | undefined): string | undefined {
  if (sensorClass === undefined) return undefined;
  const byClass = typesByClass[sensorClass];
  if (byClass !== undefined) return byClass;
  return part === undefined ? sensorClass : (typesByPart[part] ?? part);
}
