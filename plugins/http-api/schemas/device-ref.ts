import { Type } from '../../../src/index.ts';

export const deviceRefSchema = Type.Object({
  name: Type.String(),
  ip: Type.String({ description: 'an address in its canonical spelling, or a host name' }),
  port: Type.Integer({ minimum: 1, maximum: 65_535 }),
});
