// @ts-check
import { defineOutput, Type } from 'waywiser';
import {
  createPoster,
  documentOptions,
  extendUrl,
  GroupSender,
  gzipOption,
  LineRenderer,
  postingOptions,
} from 'waywiser/output-kit';

export default defineOutput({
  name: 'third-party-http-output',
  summary: 'Posts rows as JSON lines to a table of an HTTP server.',
  events: true,
  module: import.meta.url,
  options: Type.Object({
    ...postingOptions,
    ...gzipOption,
    ...documentOptions,
    table: Type.String({ minLength: 1, description: 'the table that the rows go to' }),
  }),
  open({ options, log }) {
    const url = extendUrl(options.url, `/tables/${encodeURIComponent(options.table)}`, {});
    const poster = createPoster({ ...options, url }, { log });
    const renderer = new LineRenderer(options);
    const sender = new GroupSender({
      maxValues: options.max_request_values,
      maxBytes: options.max_request_bytes,
      encode(batches) {
        const body = Buffer.concat(renderer.render(batches));
        return body.length === 0 ? undefined : { body, plainBytes: body.length };
      },
      async send({ body }, _batches, signal) {
        await poster.post({ body, contentType: 'application/x-ndjson' }, signal);
      },
    });
    return { write: sender.write, close: () => poster.close() };
  },
});
