import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('index.js', import.meta.url));
const mibs = fileURLToPath(new URL('mibs', import.meta.url));

it('says what an OID means', () => {
  const text = execFileSync(process.execPath, [program, mibs, '1.3.6.1.4.1.63000.1.1.2.7'], {
    encoding: 'utf8',
  });
  assert.equal(
    text,
    'EXAMPLE-FAN-MIB::fanState.7\nInteger32, 1 turning, 2 stalled\nWhether the fan turns.\n',
  );
});

it('finds a name', () => {
  const text = execFileSync(process.execPath, [program, mibs, 'fanState'], { encoding: 'utf8' });
  assert.match(text, /^EXAMPLE-FAN-MIB::fanState$/m);
});

it('exits with 1 for a name that no MIB has', () => {
  assert.equal(spawnSync(process.execPath, [program, mibs, 'fanSpeed']).status, 1);
});
