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

/** An output that does what the record of a batch says, and logs what it sees. */
export default defineOutput({
  name: 'threaded',
  summary: 'Does as it is told.',
  module: import.meta.url,
  options: Type.Object({
    place: Type.String({ default: 'open', description: 'closed fails the start' }),
    crash_mark: Type.Optional(Type.String({ description: 'a file that says that it has crashed' })),
    passwords: Type.Array(secretOption({ description: 'secrets' }), {
      default: [],
      description: 'known to nobody',
    }),
  }),
  open({ name, options, events, log, collector, signal, queuedBatches }) {
    const { place, crash_mark: crashMark, passwords } = options;
    if (place === 'closed') throw failure('PLACE_CLOSED', { place }, new Error('for the night'));
    const lengths = passwords.map((each) => (each instanceof Secret ? each.reveal().length : 'no secret'));
    log.info({ name, instance: collector.instance, passwords, lengths }, 'opened');
    events.on('device.state', ({ device, to }) => {
      log.info({ device: device.name, to, queued: queuedBatches() }, 'heard');
    });
    signal.addEventListener('abort', () => log.info('must stop'));
    let attempts = 0;
    let group: readonly Batch[] | undefined;

    const obey = async (batch: Batch, attempt: AbortSignal) => {
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
          for (const end = Date.now() + 400; Date.now() < end; );
      }
    };
    return {
      async write(batches, { signal: attempt }) {
        attempts = batches === group ? attempts + 1 : 1;
        group = batches;
        for (const batch of batches) {
          await obey(batch, attempt);
          const values = [...rowsOf(batch)].map((row) => row.values['value']);
          log.info({ record: batch.record, sequence: batch.sequence, attempts, values }, 'wrote');
        }
      },
      close: () => log.info({ error: new Error('no error', { cause: 'none' }) }, 'closed'),
    };
  },
});
