import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { EventExchange } from '../../src/kernel/event-bus.ts';
import { recordLog } from './support/log-lines.ts';

function openExchange() {
  const { log, lines } = recordLog();
  return { exchange: new EventExchange(log), lines };
}

describe('event bus', () => {
  it('calls every listener before emit returns, in the order they came', () => {
    const { exchange } = openExchange();
    const heard: string[] = [];
    for (const name of ['a', 'b']) {
      exchange.open(name).bus.on('collector.stopping', ({ why }) => void heard.push(`${name}:${why}`));
    }
    exchange.emit('collector.stopping', { why: 'x' });
    assert.deepEqual(heard, ['a:x', 'b:x']);
  });

  it('counts and logs a listener that throws by its plugin, and calls the others', () => {
    const { exchange, lines } = openExchange();
    let called = 0;
    exchange.open('bad').bus.on('collector.ready', () => {
      throw new Error('broken listener');
    });
    exchange.open('good').bus.on('collector.ready', () => void called++);
    exchange.emit('collector.ready', {});
    exchange.emit('collector.ready', {});
    assert.equal(called, 2);
    assert.deepEqual([...exchange.failures], [['bad', 2]]);
    assert.equal(lines[0]?.['plugin'], 'bad');
    assert.equal(lines[0]?.['event'], 'collector.ready');
    assert.deepEqual(lines[0]?.['error'], { message: 'broken listener' });
  });

  it('counts a listener that rejects', async () => {
    const { exchange, lines } = openExchange();
    exchange.open('bad').bus.on('collector.ready', () => Promise.reject(new Error('later')));
    exchange.emit('collector.ready', {});
    await nextTurn();
    assert.equal(exchange.failures.get('bad'), 1);
    assert.match(JSON.stringify(lines), /later/);
  });

  it('counts the rejection of a promise from another realm', async () => {
    const { exchange } = openExchange();
    const foreign: Promise<void> = runInNewContext('Promise.reject(new Error("later"))');
    assert.equal(foreign instanceof Promise, false);
    exchange.open('bad').bus.on('collector.ready', () => foreign);
    exchange.emit('collector.ready', {});
    await nextTurn();
    assert.equal(exchange.failures.get('bad'), 1);
  });

  it('removes one listener, and only once', () => {
    const { exchange } = openExchange();
    const { bus } = exchange.open('a');
    let called = 0;
    const remove = bus.on('collector.ready', () => void called++);
    bus.on('collector.ready', () => void called++);
    remove();
    remove();
    bus.emit('collector.ready', {});
    assert.equal(called, 1);
  });

  it('tells apart the same function added twice', () => {
    const { bus } = openExchange().exchange.open('a');
    let called = 0;
    const listener = () => void called++;
    const remove = bus.on('collector.ready', listener);
    bus.on('collector.ready', listener);
    remove();
    bus.emit('collector.ready', {});
    assert.equal(called, 1);
  });

  it('forgets all listeners of a disposed view, of no other, and takes no new ones', () => {
    const { exchange } = openExchange();
    const heard: string[] = [];
    const gone = exchange.open('gone');
    gone.bus.on('collector.ready', () => void heard.push('gone'));
    exchange.open('stays').bus.on('collector.ready', () => void heard.push('stays'));
    gone.dispose();
    gone.bus.on('collector.ready', () => void heard.push('late'))();
    gone.bus.on('collector.ready', () => void heard.push('late'));
    exchange.emit('collector.ready', {});
    assert.deepEqual(heard, ['stays']);
  });

  it('lets a listener remove itself and add others while it is called', () => {
    const { bus } = openExchange().exchange.open('a');
    let called = 0;
    const remove = bus.on('collector.ready', () => {
      called++;
      remove();
      bus.on('collector.ready', () => void called++);
    });
    bus.emit('collector.ready', {});
    assert.equal(called, 1);
    bus.emit('collector.ready', {});
    assert.equal(called, 2);
  });
});
