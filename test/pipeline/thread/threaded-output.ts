import { existsSync, writeFileSync } from 'node:fs';
import {
  type Batch,
  defineErrors,
  defineOutput,
  PermanentError,
  rowsOf,
  Secret,
  secretOption,
  Type,
} from '../../../src/index.ts';

const failure = defineErrors({ PLACE_CLOSED: 'The place {place} is closed.' });

/** An output that does what the record of a batch says, and logs what it receives. */
export default defineOutput({
  name: 'threaded',
  summary: 'Does what the record of a batch says.',
  module: import.meta.url,
  options: Type.Object({
    place: Type.String({ default: 'open', description: 'closed fails the start' }),
    crash_mark: Type.Optional(Type.String({ description: 'a file that exists after the crash' })),
    compute_until: Type.Optional(Type.String({ description: 'a file that ends the computation' })),
    passwords: Type.Array(secretOption({ description: 'secrets' }), {
      default: [],
      description: 'secrets in a list',
    }),
  }),
  open({ name, options, events, log, collector, signal, queuedBatches }) {
    const { place, crash_mark: crashMark, compute_until: computeUntil = '', passwords } = options;
    if (place === 'closed') throw failure('PLACE_CLOSED', { place }, new Error('for the night'));
    const lengths = passwords.map((each) => (each instanceof Secret ? each.reveal().length : 'no secret'));
    log.info({ name, instance: collector.instance, passwords, lengths }, 'opened');
    events.on('device.state', ({ device, to }) => {
      log.info({ device: device.name, to, queued: queuedBatches() }, 'received');
    });
    signal.addEventListener('abort', () => log.info('must stop'));
    let attempts = 0;
    let group: readonly Batch[] | undefined;

    const handle = async (batch: Batch, attempt: AbortSignal) => {
      switch (batch.record) {
        case 'crash':
          if (crashMark === undefined || existsSync(crashMark)) return;
          writeFileSync(crashMark, '');
          setImmediate(() => {
            throw new Error('stray');
          });
          return new Promise<void>(() => {});
        case 'refuse':
          throw new PermanentError('never', {
            refused: [batch],
            refusedValues: 3,
            cause: new Error('wrong shape'),
          });
        case 'later':
          if (attempts < 3) throw Object.assign(new Error('not yet'), { code: 'EAGAIN' });
          return;
        case 'hang':
          if (attempts > 1) return;
          return new Promise<void>((_, reject) => {
            attempt.addEventListener('abort', () => reject(attempt.reason));
          });
        case 'compute':
          // Blocks its thread until another one has created the file.
          for (const end = Date.now() + 10_000; !existsSync(computeUntil); ) {
            if (Date.now() > end) throw new Error('the computation was not ended');
          }
      }
    };
    return {
      async write(batches, { signal: attempt }) {
        attempts = batches === group ? attempts + 1 : 1;
        group = batches;
        for (const batch of batches) {
          await handle(batch, attempt);
          const values = [...rowsOf(batch)].map((row) => row.values['value']);
          log.info({ record: batch.record, sequence: batch.sequence, attempts, values }, 'wrote');
        }
      },
      close: () => log.info({ error: new Error('no error', { cause: 'none' }) }, 'closed'),
    };
  },
});
