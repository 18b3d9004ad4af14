// @ts-check
import { readFileSync } from 'node:fs';
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
    let text = readFileSync(options.file, 'utf8');
    let tagsByDevice = readTable(text);
    let isReadable = true;

    // The content decides, not the time of the change: two changes can have the same time.
    const readAgain = () => {
      try {
        const found = readFileSync(options.file, 'utf8');
        isReadable = true;
        if (found === text) return;
        text = found;
        tagsByDevice = readTable(found);
      } catch (error) {
        if (isReadable)
          log.warn({ file: options.file, err: error }, 'cannot be read; the last good content stays');
        isReadable = false;
      }
    };
    const timer = setInterval(readAgain, options.check_every_ms);
    signal.addEventListener('abort', () => clearInterval(timer));

    return (batch) => {
      const added = tagsByDevice.get(batch.device.name);
      // A batch is shared with others: answer with a new one that shares its columns.
      return added === undefined ? batch : { ...batch, tags: { ...batch.tags, ...added } };
    };
  },
});
