import { equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readDateInText } from '../../../src/definitions/syntax/decode/date-in-text.ts';

describe('a date in a text', () => {
  for (const [text, date] of [
    ['Mon Jan  2 15:04:05 UTC 2006', '2006-01-02T15:04:05Z'],
    ['Monday, January 2nd, 2006 3:04 PM', '2006-01-02T15:04:00'],
    ['29-Feb-2024 23:59:59 +0530', '2024-02-29T23:59:59+05:30'],
    ['2024-02-29T13:30:15Z', '2024-02-29T13:30:15Z'],
    ['2024/2/9, 12:05 am', '2024-02-09T00:05:00'],
  ] as const) {
    it(`is ${date} in "${text}"`, () => {
      equal(readDateInText(text), date);
    });
  }

  for (const text of ['30 Feb 2024', '01/02/2024', '25:00 Jan 2 2024', 'Foo 12 2024', 'never', '', '0']) {
    it(`is not read from "${text}"`, () => {
      equal(readDateInText(text), undefined);
    });
  }

  it('is found in no more steps for a hostile text', () => {
    for (const part of ['a', 'Jan ', '1', '1:', ' ', 'Jan 1,', '1st ', '2024-']) {
      equal(readDateInText(part.repeat(100_000)), undefined);
    }
  });
});
