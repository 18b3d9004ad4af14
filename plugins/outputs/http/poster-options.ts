import { pathOption, secretOption, Type } from '../../../src/index.ts';

/** The options of everything that posts to a URL. */
export const posterOptions = {
  url: Type.String({ pattern: '^https?://', description: 'where to post, http:// or https://' }),
  headers: Type.Record(Type.String(), Type.String(), { default: {}, description: 'further headers' }),
  token: Type.Optional(secretOption({ description: 'sent as bearer token' })),
  username: Type.Optional(Type.String({ description: 'for basic authentication, when there is no token' })),
  password: Type.Optional(secretOption({ description: 'of the user' })),
  gzip: Type.Boolean({ default: true, description: 'compress what is sent' }),
  tls: Type.Object(
    {
      ca: Type.Optional(pathOption({ description: 'certificates to trust, PEM' })),
      cert: Type.Optional(pathOption({ description: 'own certificate, PEM' })),
      key: Type.Optional(pathOption({ description: 'its private key, PEM' })),
    },
    { default: {}, description: 'for https' },
  ),
};
