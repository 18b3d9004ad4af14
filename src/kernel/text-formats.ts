import { isIPv4, isIPv6 } from 'node:net';

const date = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const time = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;
const hostLabel = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/i;
const urlText = /^(%[0-9a-f]{2}|[\w.~:/?#[\]@!$&'()*+,;=-])*$/i;

/** The formats of JSON Schema for texts (validation, section 7.3), except for those that RFC 6570 and internationalized names define. */
export const formatChecks: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  time: (text) => time.test(text),
  'date-time': (text) => /^.{10}[t ]/i.test(text) && isDate(text.slice(0, 10)) && time.test(text.slice(11)),
  duration: (text) => /^P(\d+W|(?=.)(\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+S)?)?)$/.test(text),
  email: (text) => /^[^\s@"(),:;<>[\]\\]{1,64}@[^\s@]+$/.test(text) && isHostname(text.split('@')[1]!),
  hostname: isHostname,
  ipv4: isIPv4,
  ipv6: (text) => isIPv6(text) && !text.includes('%'),
  uri: (text) => /^[a-z][a-z0-9+.-]*:/i.test(text) && urlText.test(text) && URL.canParse(text),
  'uri-reference': (text) => urlText.test(text) && URL.canParse(text, 'http://localhost'),
  uuid: (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
  'json-pointer': (text) => /^(\/([^~/]|~[01])*)*$/.test(text),
  'relative-json-pointer': (text) => /^(0|[1-9]\d*)(#|(\/([^~/]|~[01])*)*)$/.test(text),
  regex: isPattern,
};

function isDate(text: string): boolean {
  // A day that the month does not have, such as 02-30, becomes one of the next month.
  return date.test(text) && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);
}

function isHostname(text: string): boolean {
  return text.length <= 253 && text.split('.').every((label) => hostLabel.test(label));
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u') !== undefined;
  } catch {
    return false;
  }
}
