import { deepEqual } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isUsualDate } from '../../../authoring/import/snmp-exporter/date-pattern.ts';

const read = [
  '%b %d %Y',
  '%a %b %d %H:%M:%S %Y',
  '%Y-%m-%d',
  '%Y-%m-%dT%H:%M:%S%z',
  '%F %T',
  '%d-%b-%Y',
  '%e %B %Y, %I:%M %p',
  '%Y/%m/%d %R',
];

/** The day may come first or second; a part is missing; the hours are those of half a day; nobody knows the directive. */
const refused = [
  '%m/%d/%Y',
  '%d.%m.%Y',
  '%D',
  '%d%m%y',
  '%Y',
  '%s',
  '%b %d',
  '%Y-%m-%d %I:%M',
  '%Y-%m-%d %k:%M',
  '',
];

describe('a datetime_pattern of snmp.yml', () => {
  it('is kept when dates of this form are read as what they are', () => {
    deepEqual([...read, ...refused].filter(isUsualDate), read);
  });
});
