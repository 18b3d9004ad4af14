import { Type } from '../../../../src/index.ts';

/** What every kind of credential carries beside the hash of what its owner shows. */
export const credentialFields = {
  name: Type.String({ pattern: '^[\\w.@-]{1,64}$', description: 'who has it; audit lines carry it' }),
  role: Type.Union([Type.Literal('read'), Type.Literal('operate'), Type.Literal('admin')], {
    description: 'read, operate or admin; each may do what those before it may',
  }),
  expires: Type.Optional(
    Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}(T[\\d:.]+Z)?$',
      description: 'the moment from which it is worth nothing, such as 2030-01-31',
    }),
  ),
};

export function isCredentialName(name: string): boolean {
  return /^[\w.@-]{1,64}$/.test(name);
}

/** A date that is none counts as one that has passed. */
export function hasExpired({ expires }: { readonly expires?: string }, nowMs: number): boolean {
  return expires !== undefined && !(Date.parse(expires) > nowMs);
}
