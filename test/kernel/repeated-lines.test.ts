import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { recordLog } from './support/log-lines.ts';

const minute = 60_000;

describe('a repeated warning about one device', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  const fail = (code: string) => Object.assign(new Error(`failed by ${code}`), { code });
  const text = ({ message, device, repeated }: Record<string, unknown>) => [message, device, repeated];

  it('is one line, and one more per minute with the count', () => {
    const { log, lines } = recordLog();
    const child = log.child({ plugin: 'discovery' });
    for (let i = 0; i < 38; i++) child.warn({ device: 'a', attempt: i, error: fail('X') }, 'Failed.');
    assert.deepEqual(lines.map(text), [['Failed.', 'a', undefined]]);
    mock.timers.tick(minute);
    assert.deepEqual(lines.slice(1).map(text), [['Failed. (37 more in the last 60 s)', 'a', 37]]);
    const { level, plugin, attempt, error } = lines[1]!;
    assert.deepEqual([level, plugin, attempt], ['warn', 'discovery', 37]);
    assert.deepEqual(error, { code: 'X', message: 'failed by X' });

    child.warn({ device: 'a', error: fail('X') }, 'Failed.');
    assert.equal(lines.length, 2);
    mock.timers.tick(minute);
    assert.equal(lines[2]?.['message'], 'Failed. (1 more in the last 60 s)');
  });

  it('is written at once again after a minute without it', () => {
    const { log, lines } = recordLog();
    log.warn({ device: 'a' }, 'Failed.');
    mock.timers.tick(minute);
    log.warn({ device: 'a' }, 'Failed.');
    assert.deepEqual(lines.map(text), [
      ['Failed.', 'a', undefined],
      ['Failed.', 'a', undefined],
    ]);
  });

  it('hides no line of another device, message, code or plugin', () => {
    const { log, lines } = recordLog();
    log.warn({ device: 'a' }, 'Failed.');
    log.warn({ device: 'b' }, 'Failed.');
    log.warn({ device: 'a' }, 'Failed otherwise.');
    log.warn({ device: 'a', error: fail('X') }, 'Failed.');
    log.error({ device: 'a', error: fail('Y') }, 'Failed.');
    log.child({ plugin: 'other' }).warn({ device: 'a' }, 'Failed.');
    assert.equal(lines.length, 6);
  });

  it('leaves lines without a device and lines of less importance as they are', () => {
    const { log, lines } = recordLog();
    for (let i = 0; i < 3; i++) {
      log.warn('The disk is full.');
      log.warn({ error: fail('X') }, 'The disk is full.');
      log.info({ device: 'a' }, 'Device discovered.');
    }
    assert.equal(lines.length, 9);
  });

  it('is counted at the stop, when the minute is not over', () => {
    const { log, lines } = recordLog();
    for (let i = 0; i < 3; i++) log.warn({ device: 'a' }, 'Failed.');
    log.flush();
    assert.deepEqual(lines.slice(1).map(text), [['Failed. (2 more in the last 60 s)', 'a', 2]]);
    mock.timers.tick(2 * minute);
    assert.equal(lines.length, 2);
  });

  it('is written each time beyond 10,000 devices, so that the memory has a bound', () => {
    const { log, lines } = recordLog();
    for (let i = 0; i < 10_002; i++) log.warn({ device: `d${i}` }, 'Failed.');
    lines.length = 0;
    log.warn({ device: 'd9999' }, 'Failed.');
    assert.equal(lines.length, 0);
    log.warn({ device: 'd10001' }, 'Failed.');
    assert.equal(lines.length, 1);
    mock.timers.tick(minute);
    mock.timers.tick(minute);
    lines.length = 0;
    for (let i = 0; i < 2; i++) log.warn({ device: 'd10001' }, 'Failed.');
    assert.equal(lines.length, 1);
  });
});
