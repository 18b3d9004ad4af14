import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defineErrors, explainError, kernelErrors, WaywiserError } from '../../src/kernel/errors.ts';

const failure = defineErrors({ ODD: 'The {thing} is {count} and {thing}.' });

describe('errors', () => {
  it('inserts the details into the sentence of the code', () => {
    const error = failure('ODD', { thing: 'value', count: 3 }, new Error('why'));
    assert.ok(error instanceof WaywiserError);
    assert.equal(error.code, 'ODD');
    assert.equal(error.message, 'The value is 3 and value.');
    assert.equal((error.cause as Error).message, 'why');
  });

  it('inserts details literally, even when they look like patterns or placeholders', () => {
    assert.equal(
      failure('ODD', { thing: '$& {count} $1', count: 1 }).message,
      'The $& {count} $1 is 1 and $& {count} $1.',
    );
  });

  it('has a cause only when there is one', () => {
    assert.equal('cause' in failure('ODD', { thing: 'x', count: 1 }), false);
  });

  it('explains an error with its causes and without a stack', () => {
    const error = new Error('outer', { cause: new Error('middle', { cause: 'inner' }) });
    assert.equal(explainError(error), 'outer (middle (inner))');
    assert.equal(explainError('text'), 'text');
    assert.equal(explainError(undefined), 'undefined');
  });

  it('leaves out a cause that the message has already', () => {
    const cause = new Error('port 80: nothing listens there');
    assert.equal(
      explainError(new Error('No answer from port 80: nothing listens there.', { cause })),
      'No answer from port 80: nothing listens there.',
    );
    assert.equal(explainError(new Error('', { cause })), cause.message);
  });

  it('explains errors of the operating system in sentences, with the file, host or address', () => {
    const explain = (code: string, facts: object) =>
      explainError(Object.assign(new Error(`${code}: raw`), { code, syscall: 'open', ...facts }));
    const path = '/etc/key.pem';
    assert.equal(explain('EACCES', { path }), '/etc/key.pem: permission is denied');
    assert.equal(explain('ENOSPC', {}), 'the disk is full');
    const address = { address: '192.0.2.1', port: 80 };
    assert.equal(explain('ECONNREFUSED', address), '192.0.2.1 port 80: nothing accepts connections there');
    assert.match(explain('ENOTFOUND', { hostname: 'nowhere' }), /^nowhere: the name servers know no address/);
    assert.match(explain('EAI_AGAIN', { hostname: 'nowhere' }), /^nowhere: no name server answers/);
    assert.equal(explain('ERARE', { path }), 'ERARE: raw');
    assert.equal(explain('EACCES', { syscall: undefined }), 'EACCES: raw', 'not an error of the system');
  });

  it('explains all errors of an aggregate, also without a message of its own', () => {
    const errors = [new Error('::1 refused'), new Error('127.0.0.1 refused')];
    assert.equal(explainError(new AggregateError(errors)), '::1 refused; 127.0.0.1 refused');
    assert.equal(explainError(new AggregateError(errors, 'both')), 'both (::1 refused; 127.0.0.1 refused)');
  });

  it('explains an error that is its own cause', () => {
    const error = new Error('round');
    error.cause = new Error('about', { cause: error });
    assert.equal(explainError(error), 'round');
  });

  it('has sentences that end in a full stop, or in the command to run', () => {
    for (const [code, sentence] of Object.entries(kernelErrors)) {
      assert.match(code, /^[A-Z]+(_[A-Z]+)+$/);
      assert.match(sentence, /(\.|\{problems\}|npm install \{\w+\})$/, code);
    }
  });
});
