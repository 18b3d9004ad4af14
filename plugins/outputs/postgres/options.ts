import { type Static, secretOption, Type } from '../../../src/index.ts';
import { tlsSchema } from '../../../src/output-kit/index.ts';

export const postgresOptions = Type.Object({
  host: Type.String({ minLength: 1, default: '127.0.0.1', description: 'name, address or socket directory' }),
  port: Type.Integer({ minimum: 1, maximum: 65_535, default: 5432, description: 'of the server' }),
  database: Type.String({ minLength: 1, description: 'must be there' }),
  schema: Type.String({
    minLength: 1,
    maxLength: 63,
    default: 'public',
    description: 'where the tables are; it is made when it is not there',
  }),
  username: Type.String({ minLength: 1, description: 'must be allowed to make tables in the schema' }),
  password: Type.Optional(secretOption({ description: 'of the user' })),
  tls: Type.Optional(tlsSchema),
});

export type PostgresOptions = Static<typeof postgresOptions>;
