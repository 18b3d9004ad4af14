import type { ErrorTable } from '../../src/index.ts';

export const webPageErrors = {
  WEB_PAGE_NOT_BUILT:
    'The files of the web page are missing in {folder}. In a checkout, `npm run build` makes them; an installed package has them: install it again.',
  WEB_PAGE_SIGN_IN_INCOMPLETE:
    'A request to sign in has either "token", or "user" and "password". This one has {received}.',
  WEB_PAGE_SECRET_IN_URL:
    'The URL contains "{name}". Proxies, logs and the history of browsers keep URLs, so revoke this secret. Open the page without it, and sign in there.',
} as const satisfies ErrorTable;
