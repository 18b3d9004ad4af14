/**
 * ISO 8601 from the 8 or 11 octets of a DateAndTime (RFC 2579): `2024-02-29T13:30:15.2+02:00`, without the offset for 8
 * octets. Undefined when the octets are not a date: all zeros, or an octet out of range.
 */
export function decodeDateAndTime(octets: Uint8Array): string | undefined {
  if (octets.length !== 8 && octets.length !== 11) return undefined;
  const [high = 0, low = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, decisecond = 0] = octets;
  const year = 256 * high + low;
  const isDate = month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
  if (!isDate || hour > 23 || minute > 59 || second > 60 || decisecond > 9) return undefined;
  const date = `${pad(year, 4)}-${pad(month)}-${pad(day)}`;
  const time = `${pad(hour)}:${pad(minute)}:${pad(second)}.${decisecond}`;
  if (octets.length === 8) return `${date}T${time}`;
  const [sign = 0, offsetHours = 0, offsetMinutes = 0] = octets.subarray(8);
  const isOffset = (sign === 0x2b || sign === 0x2d) && offsetHours <= 14 && offsetMinutes <= 59;
  if (!isOffset) return undefined;
  return `${date}T${time}${String.fromCharCode(sign)}${pad(offsetHours)}:${pad(offsetMinutes)}`;
}

export function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function pad(value: number, digits = 2): string {
  return String(value).padStart(digits, '0');
}
