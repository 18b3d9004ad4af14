/** Units as UCUM writes them, which OpenTelemetry wants; what is not here is sent as it is. */
const unitCodes: Readonly<Record<string, string>> = {
  B: 'By',
  '/s': '1/s',
  '°C': 'Cel',
  VA: 'V.A',
  dBm: 'dB[mW]',
};

export function unitCode(unit: string | undefined): string {
  return unit === undefined ? '' : (unitCodes[unit] ?? unit);
}
