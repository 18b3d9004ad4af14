import { Type } from '../../typebox.ts';

/** Keys are whole numbers, in the document's own text; values are taken as they are spelled. */
export const IntegerEnumSchema = Type.Record(Type.String({ pattern: '^-?\\d{1,20}$' }), Type.String(), {
  additionalProperties: false,
  description: 'Text by number.',
});

export const BitmapEnumSchema = Type.Record(Type.String({ pattern: '^-?\\d{1,20}$' }), Type.String(), {
  additionalProperties: false,
  description: 'Names by bit number, 0 being the first bit of the first octet.',
});

export const OidEnumSchema = Type.String({ description: 'The name of this OID.' });
