import { deepEqual, equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { diffDefinitions } from '../../../src/definitions/changes/definition-diff.ts';
import { ContentChecker } from '../../../src/definitions/checking/content-checker.ts';
import { compileDefinitions } from '../../../src/definitions/compiler/compile-definitions.ts';
import type { RawNotification } from '../../../src/definitions/schema/notification.ts';
import { attribute, rawSet, sample } from './raw-set.ts';

const oid = '.1.3.6.1.4.1.9999.7.1';

function compile(notifications: Readonly<Record<string, RawNotification>>, more = {}) {
  return compileDefinitions({ ...sample, ...more, notifications: new Map(Object.entries(notifications)) });
}

function problemsOf(notifications: Readonly<Record<string, RawNotification>>) {
  return compile(notifications).problems.map(({ level, rule, path }) => `${level} ${rule} ${path.join('/')}`);
}

describe('a notification', () => {
  it('has defaults, columns of its varbinds, and messages in parts', () => {
    const { definitions, problems } = compile({
      'VENDOR-MIB::portFailed': {
        oid: '.1.3.6.1.4.1.9999.7.*',
        message: '{netif.name|netif.index} failed: {port.reason}',
        varbinds: ['portBytesIn', 'portReason'],
        attributes: { portReason: attribute('.1.3.6.1.4.1.9999.8.1', 'port.reason') },
      },
    });
    deepEqual(problems, []);
    const { hash, attributes, ...rest } = definitions.notifications.get('VENDOR-MIB::portFailed')!;
    deepEqual(rest, {
      id: 'VENDOR-MIB::portFailed',
      oid: '1.3.6.1.4.1.9999.7',
      isPrefix: true,
      severity: 'notice',
      severityFrom: undefined,
      category: 'other',
      description: undefined,
      message: [{ anyOf: ['netif.name', 'netif.index'] }, ' failed: ', { anyOf: ['port.reason'] }],
      varbinds: [
        { name: 'portBytesIn', column: '1.3.6.1.4.1.9999.1.1.1' },
        { name: 'portReason', column: '1.3.6.1.4.1.9999.8.1' },
      ],
      identity: undefined,
      clears: [],
      clearsWhen: undefined,
      aim: undefined,
      isMuted: false,
    });
    equal(attributes.get('portReason')?.fields[0]?.field, 'port.reason');
  });

  it('may name only what the set has, and each OID once', () => {
    deepEqual(
      problemsOf({
        'A::a': { oid, clears: ['A::x'], aim: { poll: ['IF-MIB::ifEntri'] }, varbinds: ['ifDescrr'] },
        'A::b': { oid, message: '{netif.nam} and {trap.source}', identity: ['netif.nr'] },
        'A::c': { oid: `${oid}.*`, clears: ['A::c'] },
        'A::d': { oid: `${oid}.9`, clears: ['A::d'], clears_when: { field: 'netif.oper.name', in: ['up'] } },
      }),
      [
        'warning unknown-reference notifications/A::a/clears/0',
        'warning unknown-reference notifications/A::a/aim/poll/0',
        'warning unknown-reference notifications/A::a/varbinds/0',
        'warning unknown-field notifications/A::b/message',
        'warning unknown-field notifications/A::b/identity/0',
        'warning notification-defined-twice notifications/A::b/oid',
        'warning notification-clears-itself notifications/A::c/clears',
      ],
    );
  });

  it('ends earlier ones of its own kind when only `clears_when` is given', () => {
    const { definitions } = compile({
      'A::a': { oid, clears_when: { field: 'netif.oper.name', in: ['up'] } },
    });
    deepEqual(definitions.notifications.get('A::a')?.clears, ['A::a']);
  });

  it('reports an unknown syntax at its line', () => {
    deepEqual(problemsOf({ 'A::a': { oid, attributes: { x: { oid: '.1.3.1', syntax: 'Gaug32' } } } }), [
      'error unknown-syntax notifications/A::a/attributes/x/syntax',
    ]);
  });

  it('is among the changes when it, or an enum of its attributes, differs', () => {
    const attributes = { state: { oid: '.1.3.1', syntax: 'EnumInteger' } };
    const before = compile(
      { 'A::a': { oid }, 'A::b': { oid: `${oid}.1`, attributes } },
      { integerEnums: new Map([['1.3.1', { 1: 'on' }]]) },
    ).definitions;
    const after = compile(
      { 'A::b': { oid: `${oid}.1`, attributes }, 'A::c': { oid: `${oid}.2` } },
      { integerEnums: new Map([['1.3.1', { 1: 'off' }]]) },
    ).definitions;
    const { notifications, objects } = diffDefinitions(before, after);
    deepEqual(notifications, { added: ['A::c'], changed: ['A::b'], removed: ['A::a'] });
    deepEqual(objects, { added: [], changed: [], removed: [] });
  });

  it('has no other keys than those that something reads', () => {
    const { content } = new ContentChecker().check(
      'notifications',
      `A::a: { oid: ${oid}, severty: info }\nA::b: { oid: ${oid}.x }\nA::c: { oid: ${oid}, attributes: { x: { oid: .1.3, syntax: Gauge32, scale: { factor: 2 } } } }\n`,
    );
    deepEqual(
      content.problems.map(({ line, rule }) => `${line} ${rule}`),
      ['1 unknown-key', '2 bad-value', '3 unknown-key'],
    );
  });
});

it('has no notifications in a set without any', () => {
  equal(compileDefinitions(rawSet({})).definitions.notifications.size, 0);
});
