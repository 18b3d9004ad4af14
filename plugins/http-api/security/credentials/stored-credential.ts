import { Type } from '../../../../src/index.ts';

/** The fields of every kind of credential, besides its hash. */
export const credentialFields = {
  name: Type.String({
    pattern: '^[\\w.@-]{1,64}$',
    description: 'the name of the owner, which audit lines show',
  }),
  role: Type.Union([Type.Literal('read'), Type.Literal('operate'), Type.Literal('admin')], {
    description: 'read, operate or admin; each role includes the previous ones',
  }),
  expires: Type.Optional(
    Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}(T[\\d:.]+Z)?$',
      description: 'when it expires, such as 2030-01-31',
    }),
  ),
};

export function isCredentialName(name: string): boolean {
  return /^[\w.@-]{1,64}$/.test(name);
}

/** An invalid date counts as expired. */
export function hasExpired({ expires }: { readonly expires?: string }, nowMs: number): boolean {
  return expires !== undefined && !(Date.parse(expires) > nowMs);
}
