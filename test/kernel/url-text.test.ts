import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hideUrlSecrets } from '../../src/kernel/url-text.ts';

const cases: readonly (readonly [text: string, shown: string])[] = [
  ['nothing to hide: a@b?c', 'nothing to hide: a@b?c'],
  ['http://host:8080/path', 'http://host:8080/path'],
  ['https://[::1]:8080/path', 'https://[::1]:8080/path'],
  ['post to http://host/path/{device}.', 'post to http://host/path/{device}.'],
  ['http://user:SECRET@host:80/path', 'http://host:80/path'],
  ['http://user@SECRET:pass@host/path', 'http://host/path'],
  ['nats://user:SEC/RET@host', 'nats://host'],
  ['http://user:SEC?RET@host/path', 'http://***'],
  ['http://user:SEC#RET@host/path', 'http://***'],
  ['http://host/path?api_key=SECRET&x=1#SECRET', 'http://host/path'],
  ['http://host?mail=a@b', 'http://host'],
  [
    'mqtts://SECRET@host and "amqp://u:SECRET@other/x?SECRET", both',
    'mqtts://host and "amqp://other/x", both',
  ],
  ['{"url":"http://u:SECRET@h/p?k=SECRET","next":1}', '{"url":"http://h/p","next":1}'],
];

describe('a URL that is shown', () => {
  for (const [text, shown] of cases) {
    it(`hides user, password, query and fragment: ${shown}`, () => assert.equal(hideUrlSecrets(text), shown));
  }
});
