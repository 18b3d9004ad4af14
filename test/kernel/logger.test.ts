import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kernelFailure } from '../../src/kernel/errors.ts';
import { recordLog } from './support/log-lines.ts';

describe('logger', () => {
  it('writes code, message and causes of an error, under both keys', () => {
    const { log, lines } = recordLog();
    const error = kernelFailure('PLUGIN_START_FAILED', { plugin: 'x' }, new TypeError('why'));
    log.error({ error }, 'said');
    log.error({ err: error }, 'said');
    log.error(error, 'said');
    log.child({ plugin: 'p' }).error(error);
    for (const line of lines) {
      assert.deepEqual(line['error'] ?? line['err'], {
        code: 'PLUGIN_START_FAILED',
        message: 'The plugin "x" failed to start.',
        cause: { message: 'why' },
      });
    }
    assert.equal(lines.length, 4);
    assert.equal(lines[3]?.['plugin'], 'p');
  });

  it('writes a sentence for what the system refused, beside its code', () => {
    const { log, lines } = recordLog();
    const refused = Object.assign(new Error("EACCES: permission denied, open '/etc/key.pem'"), {
      code: 'EACCES',
      syscall: 'open',
      path: '/etc/key.pem',
    });
    log.error({ error: new Error('It failed.', { cause: refused }) }, 'said');
    assert.deepEqual(lines[0]?.['error'], {
      message: 'It failed.',
      cause: { code: 'EACCES', message: '/etc/key.pem: permission is denied' },
    });
  });

  it('never writes a stack', () => {
    const { log, lines } = recordLog();
    const error = new AggregateError([new Error('one')], 'all', { cause: new Error('two') });
    log.error(error);
    log.error({ error, err: error });
    assert.doesNotMatch(JSON.stringify(lines), /stack|logger\.test/);
    assert.match(JSON.stringify(lines[0]), /one.*two/);
  });

  it('writes an error that is its own cause', () => {
    const { log, lines } = recordLog();
    const error = new Error('round');
    error.cause = error;
    log.error({ error }, 'said');
    assert.equal(lines[0]?.['message'], 'said');
  });

  it('writes a thrown value that is not an error', () => {
    const { log, lines } = recordLog();
    log.error({ error: 'text' });
    assert.equal(lines[0]?.['error'], 'text');
  });

  it('writes the instance, and the level as a word', () => {
    const { log, lines } = recordLog();
    log.warn('x');
    assert.equal(lines[0]?.['instance'], 'test');
    assert.equal(lines[0]?.['level'], 'warn');
  });
});
