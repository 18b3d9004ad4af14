import { defineOutput, Type } from '../../../src/index.ts';
import {
  createPoster,
  documentOptions,
  GroupSender,
  gzipOption,
  LineRenderer,
  postingOptions,
} from '../../../src/output-kit/index.ts';

export default defineOutput({
  name: 'http',
  summary: 'Posts rows as JSON documents to a URL.',
  rates: true,
  events: true,
  module: import.meta.url,
  opensLater: true,
  options: Type.Object({
    ...postingOptions,
    ...gzipOption,
    format: Type.Union([Type.Literal('json'), Type.Literal('ndjson')], {
      default: 'json',
      description: 'form of a request: json (one array of documents) or ndjson (one document per line)',
    }),
    ...documentOptions,
  }),
  open({ options, log }) {
    const { format, nested, gaps } = options;
    const poster = createPoster(options, { log });
    const renderer = new LineRenderer({ nested, gaps });
    const contentType = format === 'json' ? 'application/json' : 'application/x-ndjson';
    const sender = new GroupSender({
      maxValues: options.max_request_values,
      maxBytes: options.max_request_bytes,
      encode(batches) {
        const lines = Buffer.concat(renderer.render(batches));
        const body = format === 'json' ? toArray(lines) : lines;
        return lines.length === 0 ? undefined : { body, plainBytes: body.length };
      },
      async send({ body }, _, signal) {
        await poster.post({ body, contentType }, signal);
      },
    });
    return { write: sender.write, close: () => poster.close() };
  },
});

/** A line end is only after a document, never inside one, so it can become the comma before the next. */
function toArray(lines: Buffer): Buffer {
  const array = Buffer.concat([Buffer.from('['), lines]);
  for (let at = array.indexOf(0x0a); at !== -1; at = array.indexOf(0x0a, at + 1)) array[at] = 0x2c;
  array[array.length - 1] = 0x5d;
  return array;
}
