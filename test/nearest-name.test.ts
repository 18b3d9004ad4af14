import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findNearestName, suggestName } from '../src/nearest-name.ts';

const names = ['http-api', 'snmp-poller', 'snmp-discovery', 'ndjson'];

describe('nearest name', () => {
  it('forgives a typing slip, swapped letters and case', () => {
    for (const name of ['htp-api', 'http-pai', 'HTTP-API', 'http_api']) {
      assert.equal(findNearestName(name, names), 'http-api', name);
    }
  });

  it('suggests nothing when nothing is close', () => {
    for (const name of ['mqtt', 'x', '', 'prometheus-remote-write']) {
      assert.equal(findNearestName(name, names), undefined, name);
    }
    assert.equal(suggestName('mqtt', names), '');
    assert.equal(findNearestName('a', []), undefined);
  });

  it('prefers the nearest, and ends a sentence', () => {
    assert.equal(suggestName('ndjsn', ['ndxxsn', ...names]), ' Did you mean "ndjson"?');
  });
});
