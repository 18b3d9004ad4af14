import { type Static, secretOption, Type } from '../../../src/index.ts';
import { tlsSchema } from '../../../src/output-kit/index.ts';

export const postgresOptions = Type.Object({
  host: Type.String({
    minLength: 1,
    default: '127.0.0.1',
    description: 'host name, address or socket directory of the server',
  }),
  port: Type.Integer({ minimum: 1, maximum: 65_535, default: 5432, description: 'port of the server' }),
  database: Type.String({ minLength: 1, description: 'database, which must exist' }),
  schema: Type.String({
    minLength: 1,
    maxLength: 63,
    default: 'public',
    description: 'schema of the tables; it is created if it does not exist',
  }),
  username: Type.String({
    minLength: 1,
    description: 'user, which must be allowed to create tables in the schema',
  }),
  password: Type.Optional(secretOption({ description: 'password of the user' })),
  tls: Type.Optional(tlsSchema),
});

export type PostgresOptions = Static<typeof postgresOptions>;
