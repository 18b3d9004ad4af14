import { ApiClient } from '../../../../src/client/index.ts';

/** The address of the page, also below a path of a reverse proxy. */
export const baseUrl = new URL('.', document.baseURI).href;

/** The API of the collector that served the page. The browser adds the session's cookie. */
export const api = new ApiClient({ baseUrl, timeoutMs: 30_000 });
