import { defineOutput, type Secret, secretOption, Type } from '../../../src/index.ts';
import {
  createPoster,
  documentOptions,
  extendUrl,
  GroupSender,
  gzipOption,
  postingOptions,
} from '../../../src/output-kit/index.ts';
import { BulkSender } from './bulk/bulk-sender.ts';

/** An answer has about sixty bytes per document, and more for each refused one. */
const maxAnswerBytes = 64 << 20;

export default defineOutput({
  name: 'elasticsearch',
  summary: 'Writes rows as documents to Elasticsearch and OpenSearch with bulk requests.',
  rates: true,
  events: true,
  module: import.meta.url,
  opensLater: true,
  options: Type.Object({
    ...postingOptions,
    ...gzipOption,
    api_key: Type.Optional(secretOption({ description: 'API key of Elasticsearch, in its encoded form' })),
    index: Type.String({
      pattern: '^[^A-Z\\\\/*?"<>| ,#:_+.-][^A-Z\\\\/*?"<>| ,#:]*$',
      default: 'metrics-snmp-default',
      description: 'data stream, index or alias in which documents are created',
    }),
    nested: documentOptions.nested,
  }),
  open({ options, log }) {
    const { index, nested, api_key: apiKey } = options;
    const wanted = 'errors,items.*.status,items.*.error.type,items.*.error.reason';
    const url = extendUrl(options.url, `/${encodeURIComponent(index)}/_bulk`, { filter_path: wanted });
    const secretHeaders = { ...options.secret_headers, ...authorization(apiKey) };
    const poster = createPoster({ ...options, url, secret_headers: secretHeaders }, { log, maxAnswerBytes });
    const bulk = new BulkSender(poster, { nested });
    const sender = new GroupSender({
      maxValues: options.max_request_values,
      maxBytes: options.max_request_bytes,
      encode: (batches) => bulk.encode(batches),
      send: (part, _, signal) => bulk.send(part, signal),
    });
    return { write: sender.write, close: () => poster.close() };
  },
});

function authorization(apiKey: Secret | undefined): Readonly<Record<string, Secret>> {
  return apiKey === undefined ? {} : { Authorization: apiKey.derive((key) => `ApiKey ${key}`) };
}
