import { secretOption, Type } from '../../../../src/index.ts';
import { tlsSchema } from '../../../../src/internal.ts';

/** Where to post, and as whom. */
export const posterOptions = {
  url: Type.String({ pattern: '^https?://', description: 'where to post, http:// or https://' }),
  headers: Type.Record(Type.String(), Type.String(), { default: {}, description: 'further headers' }),
  secret_headers: Type.Record(Type.String(), secretOption({ description: 'its value' }), {
    default: {},
    description: "further headers whose values are secrets, such as Api-Key: '${env:KEY}'",
  }),
  token: Type.Optional(secretOption({ description: 'sent as bearer token' })),
  username: Type.Optional(Type.String({ description: 'for basic authentication, when there is no token' })),
  password: Type.Optional(secretOption({ description: 'of the user' })),
  timeout_ms: Type.Integer({
    minimum: 1,
    maximum: 600_000,
    default: 15_000,
    description: 'a request without an answer for so long has failed',
  }),
  tls: Type.Object(tlsSchema.properties, {
    default: {},
    description: 'for https; the files are read again when they change',
  }),
};

/** For formats that do not compress themselves. */
export const gzipOption = {
  gzip: Type.Boolean({ default: true, description: 'compress what is sent' }),
};

/** The options of an output that posts: also how large a request may be. `delivery` has how many batches wait, and how long. */
export const postingOptions = {
  ...posterOptions,
  max_request_values: Type.Integer({
    minimum: 1,
    default: 50_000,
    description: 'values a request; what is more goes in further ones',
  }),
  max_request_bytes: Type.Integer({
    minimum: 1_024,
    default: 8_000_000,
    description: 'bytes a request before compression; what is larger is sent in halves',
  }),
};
