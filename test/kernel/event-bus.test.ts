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
  it('calls every listener before emit returns, in the order in which they were added', () => {
    const { exchange } = openExchange();
    const heard: string[] = [];
    for (const name of ['a', 'b']) {
      exchange.open(name).bus.on('collector.stopping', ({ why }) => void heard.push(`${name}:${why}`));
    }
    exchange.emit('collector.stopping', { why: 'x' });
    assert.deepEqual(heard, ['a:x', 'b:x']);
  });

  it('counts and logs a listener that throws under its plugin, and calls the others', () => {
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

  it('keeps the second registration of a function when the first is removed', () => {
    const { bus } = openExchange().exchange.open('a');
    let called = 0;
    const listener = () => void called++;
    const remove = bus.on('collector.ready', listener);
    bus.on('collector.ready', listener);
    remove();
    bus.emit('collector.ready', {});
    assert.equal(called, 1);
  });

  it('removes all listeners of a disposed view, keeps the others, and ignores new ones', () => {
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

  it('does not call a listener that another one removes during the same delivery', () => {
    const { exchange } = openExchange();
    const calls: string[] = [];
    const later = exchange.open('later');
    exchange.open('first').bus.on('collector.ready', () => {
      calls.push('first');
      later.dispose();
    });
    later.bus.on('collector.ready', () => void calls.push('later'));
    exchange.emit('collector.ready', {});
    assert.deepEqual(calls, ['first']);
  });
});

describe('order of events', () => {
  /** A bus on which every `collector.stopping` is written down by two plugins, `before` and `after` the subject. */
  function openOrdered() {
    const { exchange, lines } = openExchange();
    const order: string[] = [];
    const write = (plugin: string) =>
      exchange.open(plugin).bus.on('collector.stopping', ({ why }) => void order.push(`${plugin}:${why}`));
    const subject = exchange.open('subject');
    return {
      exchange,
      lines,
      order,
      write,
      subject,
      /** Calls `act` in the subject's listener when an event with this `why` arrives. */
      when: (wanted: string, act: () => void) =>
        subject.bus.on('collector.stopping', ({ why }) => {
          if (why === wanted) act();
        }),
      emit: (why: string) => subject.bus.emit('collector.stopping', { why }),
    };
  }

  it('delivers a cause to every listener before its effect, and both before the outermost emit returns', () => {
    const { order, write, when, emit } = openOrdered();
    write('before');
    when('cause', () => emit('effect'));
    write('after');
    emit('cause');
    assert.deepEqual(order, ['before:cause', 'after:cause', 'before:effect', 'after:effect']);
  });

  it('delivers in the order of emission, also effects of effects', () => {
    const { order, write, when, emit } = openOrdered();
    when('a', () => {
      emit('b');
      emit('c');
    });
    when('b', () => emit('d'));
    when('c', () => emit('e'));
    write('log');
    emit('a');
    assert.deepEqual(order, ['log:a', 'log:b', 'log:c', 'log:d', 'log:e']);
  });

  it('orders events of different names together', () => {
    const { exchange, order, when, emit } = openOrdered();
    when('cause', () => exchange.emit('collector.ready', {}));
    exchange.open('log').bus.on('collector.ready', () => void order.push('ready'));
    exchange.open('log').bus.on('collector.stopping', ({ why }) => void order.push(why));
    emit('cause');
    assert.deepEqual(order, ['cause', 'ready']);
  });

  it('delivers waiting events after a listener throws', () => {
    const { exchange, order, write, when, emit } = openOrdered();
    when('cause', () => {
      emit('effect');
      throw new Error('broken listener');
    });
    when('effect', () => {
      throw new Error('broken again');
    });
    write('log');
    emit('cause');
    emit('next');
    assert.deepEqual(order, ['log:cause', 'log:effect', 'log:next']);
    assert.equal(exchange.failures.get('subject'), 2);
  });

  it('delivers a waiting event to listeners that were added before its turn, and not to removed ones', () => {
    const { exchange, order, write, when, emit } = openOrdered();
    const remove = write('removed');
    when('cause', () => {
      emit('effect');
      remove();
      write('added');
    });
    emit('cause');
    assert.deepEqual(order, ['removed:cause', 'added:effect']);
    exchange.emit('collector.stopping', { why: 'next' });
    assert.deepEqual(order.slice(2), ['added:next']);
  });

  it('delivers waiting events of a disposed plugin to the others, and none to the plugin itself', () => {
    const { order, write, when, subject, emit } = openOrdered();
    when('cause', () => {
      emit('effect');
      subject.dispose();
    });
    when('effect', () => void order.push('subject:effect'));
    write('log');
    emit('cause');
    assert.deepEqual(order, ['log:cause', 'log:effect']);
  });

  it('ends an endless chain of events, and counts and logs the plugin that emits them', () => {
    const { exchange, lines, order, write, when, emit } = openOrdered();
    write('log');
    when('cause', () => emit('cause'));
    emit('cause');
    assert.equal(order.length, 1_001);
    assert.equal(exchange.failures.get('subject'), 1);
    assert.equal(lines.length, 1);
    assert.match(String(lines[0]?.['message']), /event was dropped: 1000 events have caused each other/);
    emit('next');
    assert.equal(order.at(-1), 'log:next');
  });

  it('delivers any number of effects of one cause', () => {
    const { exchange, order, write, when, emit } = openOrdered();
    write('log');
    when('cause', () => {
      for (let i = 0; i < 5_000; i++) emit(`effect ${i}`);
    });
    emit('cause');
    assert.equal(order.length, 5_001);
    assert.equal(order.at(-1), 'log:effect 4999');
    assert.equal(exchange.failures.size, 0);
  });

  it('keeps waiting events when the log itself fails', () => {
    let fails = true;
    const log = {
      error() {
        if (fails) throw new Error('no log');
      },
    };
    const exchange = new EventExchange(log as unknown as ConstructorParameters<typeof EventExchange>[0]);
    const order: string[] = [];
    const { bus } = exchange.open('subject');
    bus.on('collector.stopping', ({ why }) => {
      order.push(why);
      if (why === 'cause') {
        bus.emit('collector.stopping', { why: 'bad' });
        bus.emit('collector.stopping', { why: 'effect' });
      }
      if (why === 'bad') throw new Error('broken listener');
    });
    assert.throws(() => bus.emit('collector.stopping', { why: 'cause' }), /no log/);
    fails = false;
    bus.emit('collector.stopping', { why: 'next' });
    assert.deepEqual(order, ['cause', 'bad', 'next', 'effect']);
  });
});
