import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as fc from 'fast-check';
import { toSafeName } from '../../src/model/safe-name.ts';

it('a safe name contains only letters, digits, dots and hyphens', () => {
  assert.equal(toSafeName('core-1.example.net'), 'core-1.example.net');
  assert.equal(toSafeName(' Süd/Rack 4\u0000'), 'S-d-Rack-4');
  assert.equal(toSafeName('__proto__'), 'proto');
  assert.equal(toSafeName('../../etc/passwd'), 'etc-passwd');
  assert.equal(toSafeName('…'), '');
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const name = toSafeName(text);
      assert.match(name, /^([A-Za-z0-9]([A-Za-z0-9.-]{0,61}[A-Za-z0-9])?)?$/);
      assert.equal(toSafeName(name), name);
    }),
  );
});
