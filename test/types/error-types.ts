/** Compiled by `npm run types`: an error takes exactly the details that its sentence names. */
import { defineErrors, serviceToken } from '../../src/index.ts';

const failure = defineErrors({
  TWO: 'The {thing} is {count}.',
  NONE: 'Nothing to say.',
});

failure('TWO', { thing: 'x', count: 1 });
failure('NONE', {});
// @ts-expect-error a code that is not in the table
failure('THREE', {});
// @ts-expect-error a detail is missing
failure('TWO', { thing: 'x' });
// @ts-expect-error a detail that the sentence does not name
failure('TWO', { thing: 'x', count: 1, extra: 2 });
// @ts-expect-error a detail that is neither text nor a number
failure('TWO', { thing: {}, count: 1 });

interface Cat {
  purr(): void;
}
interface Dog {
  bark(): void;
}
const cat = serviceToken<Cat>('cat');
// @ts-expect-error a token of one service does not fit another
export const dog: ReturnType<typeof serviceToken<Dog>> = cat;
