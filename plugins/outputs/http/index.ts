import { defineOutput, Type } from '../../../src/index.ts';
import { LineRenderer } from '../ndjson/service.ts';
import { createPoster } from './poster.ts';
import { posterOptions } from './poster-options.ts';

export default defineOutput({
  name: 'http',
  summary: 'Posts rows as JSON documents to a URL.',
  options: Type.Object({
    ...posterOptions,
    format: Type.Union([Type.Literal('json'), Type.Literal('ndjson')], {
      default: 'json',
      description: 'one array of documents, or a document a line: json or ndjson',
    }),
    nested: Type.Boolean({
      default: false,
      description: 'objects by the dots of the field names, instead of dotted names on one level',
    }),
    gaps: Type.Boolean({ default: false, description: 'list the missing fields of a row by reason' }),
  }),
  open({ options }) {
    const { format, nested, gaps } = options;
    const poster = createPoster(options);
    const renderer = new LineRenderer({ nested, gaps });
    return {
      async write(batches, { signal }) {
        const lines = Buffer.concat(renderer.render(batches));
        if (lines.length === 0) return;
        if (format === 'json') await poster.post(toArray(lines), 'application/json', signal);
        else await poster.post(lines, 'application/x-ndjson', signal);
      },
      close: () => poster.close(),
    };
  },
});

/** A line end stands only behind a document, never in one, so it can become the comma before the next. */
function toArray(lines: Buffer): Buffer {
  const array = Buffer.concat([Buffer.from('['), lines]);
  for (let at = array.indexOf(0x0a); at !== -1; at = array.indexOf(0x0a, at + 1)) array[at] = 0x2c;
  array[array.length - 1] = 0x5d;
  return array;
}
