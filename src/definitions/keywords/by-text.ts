import { type TSchema, Type } from '../../typebox.ts';
import { Key, Text } from './scalars.ts';

/** What the value of another column of the row means: equal to one of `values`, or else containing one of `contains`. */
export interface ByText<Word> {
  readonly values?: Readonly<Record<string, Word>>;
  /** Compared in upper and lower case, in the order of the file. */
  readonly contains?: Readonly<Record<string, Word>>;
  readonly otherwise?: Word;
}

/** `what` completes sentences such as “The class of each value”. */
export const ByTextSchema = <Word extends TSchema>(word: Word, what: string, description: string) =>
  Type.Object(
    {
      of: Text({ description: 'An attribute of the same object or of one that it augments.' }),
      values: Type.Optional(
        Type.Record(Key, word, { description: `The ${what} of each value, as the device sends it.` }),
      ),
      contains: Type.Optional(
        Type.Record(Key, word, {
          description: `The ${what} of texts that contain this one, in upper or lower case, such as temp or fan. The first that fits decides.`,
        }),
      ),
      otherwise: Type.Optional({ ...word, description: `The ${what} of all other values.` }),
    },
    { additionalProperties: false, description },
  );

export function wordsIn<Word>({ values, contains, otherwise }: ByText<Word>): readonly Word[] {
  return [
    ...Object.values(values ?? {}),
    ...Object.values(contains ?? {}),
    ...(otherwise === undefined ? [] : [otherwise]),
  ];
}

/** Finds the word of a value. It remembers texts, because most are asked again at each poll. */
export function wordFinder<Word>({
  values = {},
  contains,
  otherwise,
}: ByText<Word>): (value: string | number) => Word | undefined {
  const parts = Object.entries(contains ?? {}).map(([part, word]) => [part.toLowerCase(), word] as const);
  if (parts.length === 0) return (value) => values[value] ?? otherwise;
  const known = new Map<string, Word | undefined>();
  return (value) => {
    const equal = values[value];
    if (equal !== undefined) return equal;
    const text = String(value);
    if (known.has(text)) return known.get(text);
    const lower = text.toLowerCase();
    const found = parts.find(([part]) => lower.includes(part))?.[1] ?? otherwise;
    // A device may send any text, so only some are remembered.
    if (known.size < maxKnown) known.set(text, found);
    return found;
  };
}

const maxKnown = 1_024;
