import { tlsSchema } from '../../connection/tls-files.ts';
import { secretOption } from '../../kernel/plugin-options.ts';
import { Type } from '../../typebox.ts';

/** Where to post, and with which login. */
export const posterOptions = {
  url: Type.String({ pattern: '^https?://', description: 'where to post, http:// or https://' }),
  headers: Type.Record(Type.String(), Type.String(), { default: {}, description: 'additional headers' }),
  secret_headers: Type.Record(Type.String(), secretOption({ description: 'value of the header' }), {
    default: {},
    description: "additional headers whose values are secrets, such as Api-Key: '${env:KEY}'",
  }),
  token: Type.Optional(secretOption({ description: 'bearer token' })),
  username: Type.Optional(Type.String({ description: 'for basic authentication; not together with token' })),
  password: Type.Optional(secretOption({ description: 'password of username' })),
  timeout_ms: Type.Integer({
    minimum: 1,
    maximum: 600_000,
    default: 15_000,
    description: 'a request without an answer in this time has failed',
  }),
  tls: Type.Object(tlsSchema.properties, {
    default: {},
    description: 'for https; the files are read again when they change',
  }),
};

/** The option `gzip`, for outputs whose format does not compress the body itself. */
export const gzipOption = {
  gzip: Type.Boolean({ default: true, description: 'compress the body of requests' }),
};

/** The options of an output that posts: server, login, TLS and the size of a request. Pass their values to `createPoster`. */
export const postingOptions = {
  ...posterOptions,
  max_request_values: Type.Integer({
    minimum: 1,
    default: 50_000,
    description: 'most values per request; a larger group becomes several requests',
  }),
  max_request_bytes: Type.Integer({
    minimum: 1_024,
    default: 8_000_000,
    description: 'most bytes per request before compression; a larger request is sent in halves',
  }),
};
