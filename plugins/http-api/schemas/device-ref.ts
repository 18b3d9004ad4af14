import { Type } from '../../../src/index.ts';

export const deviceRefSchema = Type.Object({
  name: Type.String({ examples: ['core-1'] }),
  ip: Type.String({
    description: 'an address in its canonical spelling, or a host name',
    examples: ['192.0.2.1'],
  }),
  port: Type.Integer({ minimum: 1, maximum: 65_535, examples: [161] }),
});
