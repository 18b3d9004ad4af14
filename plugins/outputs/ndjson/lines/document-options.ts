import { Type } from '../../../../src/index.ts';

/** What a document looks like. */
export const documentOptions = {
  nested: Type.Boolean({
    default: false,
    description: 'objects by the dots of the field names, instead of dotted names on one level',
  }),
  gaps: Type.Boolean({ default: false, description: 'list the missing fields of a row by reason' }),
};

/** What a message of documents holds. */
export const messageOptions = {
  ...documentOptions,
  message: Type.Union([Type.Literal('row'), Type.Literal('batch')], {
    default: 'row',
    description: 'what one message holds: the document of a row, or a line for each row of a batch',
  }),
};
