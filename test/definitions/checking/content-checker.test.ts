import { deepEqual, equal, match } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ContentChecker } from '../../../src/definitions/checking/content-checker.ts';
import type { DefinitionKind } from '../../../src/definitions/index.ts';

const checker = new ContentChecker();
const check = (kind: DefinitionKind, text: string) => checker.check(kind, text).content;

describe('checking the content of one file', () => {
  it('takes numbers as they are spelled where the schema wants text', () => {
    const text = 'd: { ip: 192.0.2.1, communities: [0123, 1e3, true], tags: { rack: 007 } }\n';
    const { entries, problems } = check('devices', text);
    deepEqual(problems, []);
    deepEqual(entries.get('d'), {
      ip: '192.0.2.1',
      communities: ['0123', '1e3', 'true'],
      tags: { rack: '007' },
    });
  });

  it('refuses a key without a value, with its line, where a list or a map does not fit', () => {
    for (const [kind, text, line, message] of [
      [
        'objects',
        'o:\n  attributes: { a: { oid: .1.3.6, syntax: Integer32 } }\n  augments:\n',
        3,
        /^augments is empty, but must be text.* Give it a value, or remove the key\.$/,
      ],
      ['devices', 'd:\n  ip: 192.0.2.1\n  port: ~\n', 3, /^port is empty, but must be a whole number/],
      ['devices', 'd:\n  ip:\n', 2, /^ip is empty/],
      ['objects', 'o:\n  attributes:\n    a: { oid: .1.3.6, syntax: }\n', 3, /^syntax is empty/],
    ] as const) {
      const { entries, problems } = check(kind, text);
      deepEqual(
        [problems.length, problems[0]?.level, problems[0]?.line, entries.size],
        [1, 'error', line, 0],
      );
      match(problems[0]!.message, message);
    }
  });

  it('treats a key without a value as an empty list or map where one fits', () => {
    deepEqual(check('devices', 'd:\n  ip: 192.0.2.1\n  communities:\n').entries.get('d'), {
      ip: '192.0.2.1',
      communities: [],
    });
    deepEqual(check('objectGroups', 'g:\n  objects:\n').entries.get('g'), { objects: [] });
    deepEqual(check('objects', 'o:\n  attributes:\n').entries.get('o'), { attributes: {} });
  });

  it('keeps values that are false or 0', () => {
    const { entries } = check('devices', 'd: { ip: a, retries: 0, exponential_timeout: false }\n');
    deepEqual(entries.get('d'), { ip: 'a', retries: 0, exponential_timeout: false });
  });

  it('accepts a version as number and as text', () => {
    for (const version of ['1', '"1"', '2c', '3', '"3"']) {
      equal(check('devices', `d: { ip: a, version: ${version} }\n`).problems.length, 0, version);
    }
  });

  it('suggests the nearest key, word and choice', () => {
    const messageOf = (text: string) => check('devices', text).problems[0]?.message ?? '';
    match(messageOf('d: { ip: a, poll_intervall: 3 }\n'), /Did you mean "poll_interval"/);
    match(messageOf('d: { ip: a, max_repetitions: autp }\n'), /Did you mean "auto"/);
    match(messageOf('d: { ip: a, transport: tcp }\n'), /“tcp”, but must be udp/);
  });

  it('never shows a value that may be a secret', () => {
    for (const text of [
      'd: { ip: a, communities: canary }\n',
      'd: { ip: a, v3_credentials: [{ username: u, privacy_passphrase: [canary] }] }\n',
      'd: { ip: a, communities: [canary, canary, { canary: 1 }] }\n',
      'd: { ip: a, v3_credentials: canary }\n',
    ]) {
      const { problems } = check('devices', text);
      equal(problems.length, 1);
      equal(JSON.stringify(problems).includes('canary'), false, text);
    }
  });

  it('normalizes the OIDs of enums and keeps a suffix', () => {
    const { entries, problems } = check('integerEnums', '.1.3.6_trap: { 1: a }\n1.3.7: { 1: b }\n');
    deepEqual([...entries.keys()], ['1.3.6_trap', '1.3.7']);
    deepEqual(
      problems.map(({ level, rule, line }) => [level, rule, line]),
      [['warning', 'enum-key-dot', 2]],
    );
  });

  it('reports at most a hundred problems per file', () => {
    const text = Array.from({ length: 5_000 }, (_, i) => `d${i}: { ip: 1 , nope: 2 }`).join('\n');
    equal(check('devices', text).problems.length, 100);
  });
});
