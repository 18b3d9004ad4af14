import { readDateInText } from '../../../src/definitions/index.ts';

/** 13:05:09 on Wednesday, 27 November 2024: no part can be taken for another one. */
const directives: Readonly<Record<string, string>> = {
  Y: '2024',
  m: '11',
  d: '27',
  e: '27',
  b: 'Nov',
  B: 'November',
  h: 'Nov',
  a: 'Wed',
  A: 'Wednesday',
  H: '13',
  I: '01',
  l: '1',
  p: 'PM',
  M: '05',
  S: '09',
  F: '2024-11-27',
  T: '13:05:09',
  R: '13:05',
  z: '+0000',
  Z: 'UTC',
  n: ' ',
  t: ' ',
  '%': '%',
};

/** Whether dates of this pattern of strptime are read as what they are: a date that is written so is read again. */
export function isUsualDate(pattern: string): boolean {
  const text = pattern.replace(/%(.)/g, (unknown, letter: string) => directives[letter] ?? unknown);
  const read = readDateInText(text);
  if (read === undefined || /%[^%]/.test(text)) return false;
  const hasTime = /%[HIlTR]/.test(pattern);
  const hasSeconds = /%[ST]/.test(pattern);
  return read.startsWith(`2024-11-27T${hasTime ? `13:05:${hasSeconds ? '09' : '00'}` : '00:00:00'}`);
}
