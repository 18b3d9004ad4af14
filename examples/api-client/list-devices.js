// @ts-check
/** @typedef {import('waywiser/client').ApiClient} ApiClient */

/**
 * All devices of the collector, page by page: only one page is in memory at a time.
 *
 * @param {ApiClient} client
 * @param {number} limit devices per page
 */
export async function* listDevices(client, limit = 500) {
  /** @type {string | undefined} */
  let cursor;
  do {
    const query = cursor === undefined ? { limit } : { limit, cursor };
    const { body } = await client.call('listDevices', { query });
    yield* body.devices;
    cursor = body.next;
  } while (cursor !== undefined);
}
