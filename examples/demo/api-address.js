// @ts-check

/** Where the API of the demonstration answers: known when the collector is ready, and 8080 until then. */
export const api = { address: 'http://127.0.0.1:8080' };
