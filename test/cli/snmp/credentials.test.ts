import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseCredentials } from '../../../cli/snmp/options/credentials.ts';
import type { RequestOptions } from '../../../cli/snmp/options/request-options.ts';

const env = { COMMUNITY: 'from the environment', EMPTY: '', SHORT: '1234567' };
const context = undefined;
const auth = { u: 'anna', A: 'first pass' };
const priv = { ...auth, X: 'second pass' };
const name = 'anna';
const authPassphrase = 'first pass';
const privPassphrase = 'second pass';

const accepted: readonly (readonly [string, RequestOptions, object])[] = [
  ['nothing at all', {}, { version: '2c', community: 'public' }],
  ['SNMPv1', { v: '1', c: 'x' }, { version: '1', community: 'x' }],
  ['a community by reference', { c: '${env:COMMUNITY}' }, { version: '2c', community: env.COMMUNITY }],
  ['what only resembles a reference', { c: '${COMMUNITY}' }, { version: '2c', community: '${COMMUNITY}' }],
  ['a user alone', { u: 'anna' }, { version: '3', user: { name }, context }],
  ['a context', { u: 'anna', n: 'vlan-7' }, { version: '3', user: { name }, context: 'vlan-7' }],
  ['a user beside -v 2c', { v: '2c', u: 'anna' }, { version: '2c', community: 'public' }],
  [
    '-A without -l and -a',
    auth,
    { version: '3', user: { name, authProtocol: 'md5', authPassphrase }, context },
  ],
  [
    '-X without -l and -x',
    priv,
    {
      version: '3',
      user: { name, authProtocol: 'md5', authPassphrase, privProtocol: 'des', privPassphrase },
      context,
    },
  ],
  [
    'a passphrase that the level does not need',
    { ...priv, l: 'AUTHNOPRIV', a: 'sha-512' },
    { version: '3', user: { name, authProtocol: 'sha512', authPassphrase }, context },
  ],
  ['noAuthNoPriv', { ...priv, l: 'noAuthNoPriv' }, { version: '3', user: { name }, context }],
];

const refused: readonly (readonly [string, RequestOptions, RegExp])[] = [
  ['another version', { v: '2' }, /^-v takes 1, 2c or 3\.$/],
  ['version 3 without a user', { v: '3' }, /^-u is missing: SNMPv3 needs a user name\.$/],
  ['a level without a user', { l: 'authPriv' }, /^-u is missing/],
  ['a passphrase without a user', { A: 'hush-hush' }, /^-u is missing/],
  ['another level', { ...priv, l: 'priv' }, /^-l takes noAuthNoPriv, authNoPriv or authPriv\.$/],
  ['another digest', { ...auth, a: 'hush-hush' }, /^-a takes MD5, SHA, .* or SHA-512\.$/],
  ['another cipher', { ...priv, x: 'hush-hush' }, /^-x takes DES, AES, .* or AES-256-C\.$/],
  ['authentication without -A', { u: 'anna', a: 'SHA' }, /^-A is missing: authNoPriv needs a passphrase\.$/],
  ['privacy without -A', { u: 'anna', X: 'hush-hush' }, /^-A is missing: authPriv needs a passphrase\.$/],
  ['privacy without -X', { ...auth, l: 'authPriv' }, /^-X is missing: authPriv needs a passphrase\.$/],
  ['an empty passphrase', { u: 'anna', A: '' }, /^-A is missing/],
  ['a passphrase of 7 characters', { u: 'anna', A: '1234567' }, /^-A takes .* at least 8 characters/],
  ['a short privacy passphrase', { ...auth, X: '${env:SHORT}' }, /^-X takes .* at least 8 characters/],
  ['a variable that is not set', { c: '${env:NONE}' }, /the environment variable NONE is not set/],
  ['a variable that is empty', { u: 'anna', A: '${env:EMPTY}' }, /EMPTY is not set/],
  ['a reference to a file', { c: '${file:name}' }, /no secrets_directory/],
];

describe('credentials on the command line', () => {
  for (const [what, options, expected] of accepted) {
    it(`takes ${what}`, () => assert.deepEqual(parseCredentials(options, env), expected));
  }
  for (const [what, options, message] of refused) {
    it(`refuses ${what} without repeating it`, () =>
      assert.throws(
        () => parseCredentials(options, env),
        (error: Error) => message.test(error.message) && !error.message.includes('hush'),
      ));
  }

  it('accepts every spelling of net-snmp for the protocols', () => {
    const spellings = {
      MD5: 'md5',
      SHA: 'sha',
      'SHA-1': 'sha',
      'SHA-224': 'sha224',
      SHA256: 'sha256',
      'sha-384': 'sha384',
      sha512: 'sha512',
    };
    for (const [a, authProtocol] of Object.entries(spellings)) {
      const credentials = parseCredentials({ ...auth, a }, env);
      assert.equal(credentials.version === '3' && credentials.user.authProtocol, authProtocol, a);
    }
    const ciphers = {
      DES: 'des',
      AES: 'aes',
      'AES-128': 'aes',
      aes128: 'aes',
      'AES-192': 'aes192',
      AES256: 'aes256',
      'AES-192-C': 'aes192c',
      'aes-256-c': 'aes256c',
      AES256C: 'aes256c',
    };
    for (const [x, privProtocol] of Object.entries(ciphers)) {
      const credentials = parseCredentials({ ...priv, x }, env);
      assert.equal(credentials.version === '3' && credentials.user.privProtocol, privProtocol, x);
    }
  });
});
