import { Type } from '../../typebox.ts';
import { type LeftOutReason, leftOutReasons, leftOutWords } from './left-out-reasons.ts';

export const leftOutReasonSchema = Type.Unsafe<LeftOutReason>(
  Type.String({
    title: 'LeftOutReason',
    enum: leftOutWords,
    description: leftOutWords.map((word) => `${word}: ${leftOutReasons[word]}`).join('; '),
  }),
);

export const leftOutSchema = Type.Object(
  {
    why: leftOutReasonSchema,
    by: Type.Optional(Type.String({ description: 'the object that is collected instead' })),
  },
  { title: 'NotCollected', description: 'why the device does not collect the object' },
);
