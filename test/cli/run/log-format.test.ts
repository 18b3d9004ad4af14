import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { type LogStreamOptions, openLogStream } from '../../../cli/run/log-format.ts';
import { createLogger, type Logger } from '../../../src/kernel/logger.ts';
import { CollectorProcess } from '../support/collector-process.ts';

/** What a terminal, or what `options` describe, shows of these log lines. */
function show(write: (log: Logger) => void, options: Partial<LogStreamOptions> = {}): string {
  let shown = '';
  const print = (text: string) => {
    shown += text;
  };
  const destination = openLogStream({ format: 'auto', isTerminal: true, env: {}, write: print, ...options });
  write(createLogger({ level: 'trace', instance: 'lab', destination }));
  return shown;
}

const hello = (log: Logger) => log.info({ device: 'a' }, 'Hello.');

describe('the log', () => {
  it('is time, aligned level, message, reason, then key=value on a terminal', () => {
    const text = show((log) => {
      log.info({ plugins: 3 }, 'Ready.');
      log.child({ plugin: 'p' }).warn({ device: 'a b', error: new Error('No answer.') }, 'Failed.');
    });
    const lines = stripVTControlCharacters(text).trimEnd().split('\n');
    assert.match(lines[0]!, /^\d\d:\d\d:\d\d info {2}Ready\. plugins=3$/);
    assert.match(lines[1]!, /^\d\d:\d\d:\d\d warn {2}Failed\. No answer\. plugin=p device="a b"$/);
    assert.notEqual(text, stripVTControlCharacters(text));
  });

  it('has no colours with NO_COLOR, on a dumb terminal, or as text in a pipe', () => {
    const plain = [
      { env: { NO_COLOR: '1' } },
      { env: { TERM: 'dumb' } },
      { format: 'text', isTerminal: false },
    ] as const;
    for (const options of plain) assert.match(show(hello, options), /^[\d:]{8} info {2}Hello\. device=a\n$/);
  });

  it('is JSON in a pipe, and where log_format says so', () => {
    for (const options of [{ isTerminal: false }, { format: 'json' }] as const)
      assert.equal(JSON.parse(show(hello, options)).message, 'Hello.');
  });

  it('shows text of devices without control characters', () => {
    const hostile = '\u001b[2J\r\nerror forged';
    const text = show(
      (log) => log.warn({ name: hostile, list: [hostile], error: new Error(hostile) }, hostile),
      {
        env: { NO_COLOR: '1' },
      },
    );
    assert.equal(text.split('\n').length, 2);
    assert.doesNotMatch(text, /\p{Cc}(?!$)/u);
  });

  it('says the count of a repeated warning once', () => {
    const text = show((log) => {
      for (let i = 0; i < 3; i++) log.warn({ device: 'a' }, 'Failed.');
      log.flush();
    });
    assert.match(stripVTControlCharacters(text), /Failed\. \(2 more in the last 60 s\) device=a\n$/);
  });

  it('of a collector has the form that WAYWISER_LOG_FORMAT or log_format names', async (t) => {
    const collector = new CollectorProcess(t);
    collector.write('waywiser.yml', 'log_format: text\nplugins: {}\n');
    collector.run(['start']);
    await collector.reads('does nothing');
    assert.match(collector.stderr, /^[\d:]{8} warn {2}The configuration names no plugins/m);
    collector.kill('SIGTERM');
    assert.equal(await collector.exit, 0);

    const other = new CollectorProcess(t);
    other.write('waywiser.yml', 'log_format: text\nplugins: {}\n');
    other.run(['start'], { WAYWISER_LOG_FORMAT: 'json' });
    await other.reads('does nothing');
    assert.equal(JSON.parse(other.stderr.split('\n')[0]!).level, 'info');
    other.kill('SIGTERM');
    assert.equal(await other.exit, 0);
  });
});
