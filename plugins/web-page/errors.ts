import type { ErrorTable } from '../../src/index.ts';

export const webPageErrors = {
  WEB_PAGE_NOT_BUILT:
    'The files of the web page are missing in {folder}. In a checkout, `npm run build` makes them; an installed package has them: install it again.',
} as const satisfies ErrorTable;
