// @ts-check
import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { defineProcessor, pathOption, Type } from 'waywiser';
import { readTable } from './csv-table.js';

export default defineProcessor({
  name: 'third-party-processor',
  summary: 'Adds what a CSV file says about a device, as tags.',
  options: Type.Object({
    file: pathOption({ description: 'the CSV file; its first column names devices' }),
    check_every_ms: Type.Integer({
      minimum: 10,
      default: 5000,
      description: 'how often to look for a new file',
    }),
  }),
  open({ options, log, signal }) {
    // A file that cannot be read at start is a mistake in the configuration: let it throw.
    let tagsByDevice = readTable(readFileSync(options.file, 'utf8'));

    const readAgain = () => {
      try {
        tagsByDevice = readTable(readFileSync(options.file, 'utf8'));
      } catch (error) {
        log.warn({ file: options.file, err: error }, 'cannot be read; the last good content stays');
      }
    };
    watchFile(options.file, { interval: options.check_every_ms }, readAgain);
    signal.addEventListener('abort', () => unwatchFile(options.file, readAgain));

    return (batch) => {
      const added = tagsByDevice.get(batch.device.name);
      // A batch is shared with others: answer with a new one that shares its columns.
      return added === undefined ? batch : { ...batch, tags: { ...batch.tags, ...added } };
    };
  },
});
