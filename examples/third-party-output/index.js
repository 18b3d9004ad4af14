// @ts-check
import { defineOutput, PermanentError, rowsOf, Type } from 'waywiser';

export default defineOutput({
  name: 'third-party-output',
  summary: 'Posts rows as JSON to a URL.',
  events: true,
  options: Type.Object({
    url: Type.String({ description: 'where to post' }),
  }),
  open: ({ options }) => ({
    async write(batches, { signal }) {
      const rows = batches.flatMap((batch) =>
        [...rowsOf(batch)].map((row) => ({
          device: batch.device.name,
          tags: batch.tags,
          record: batch.record,
          time: batch.timeMs,
          ...row,
        })),
      );
      const response = await fetch(options.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
        signal,
      });
      await response.body?.cancel();
      if (response.ok) return;
      const message = `${options.url} answered ${response.status}`;
      // Malformed, too large, unprocessable: these rows will never pass. A wrong token or path may be right in an hour.
      const isLasting = [400, 413, 422].includes(response.status);
      throw isLasting ? new PermanentError(message) : new Error(message);
    },
  }),
});
