const maxLength = 255;

/** A name that OpenTelemetry takes for an instrument: a letter, then letters, digits, `_`, `.`, `-` and `/`. */
export function metricName(field: string): string {
  const name = field.replace(/[^A-Za-z0-9_.\-/]+/g, '_').slice(0, maxLength - 2);
  return /^[A-Za-z]/.test(name) ? name : `f_${name}`;
}

/** Of the metric that carries a record's texts: `IF-MIB::ifEntry` becomes `if-mib_ifentry.info`. */
export function infoName(record: string): string {
  return metricName(`${record.toLowerCase()}.info`);
}
