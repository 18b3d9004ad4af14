import { defineOutput, PermanentError, rowsOf, Type } from 'waywiser';

export default defineOutput({
  name: 'third-party-typescript',
  summary: 'Posts rows as JSON to a URL.',
  events: true,
  options: Type.Object({
    url: Type.String({ description: 'where to post' }),
  }),
  open: ({ options }) => ({
    async write(batches, { signal }) {
      const rows = batches.flatMap((batch) =>
        [...rowsOf(batch)].map((row) => ({ device: batch.device.name, record: batch.record, ...row })),
      );
      const response = await fetch(options.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(rows, (_key, value: unknown) =>
          typeof value === 'bigint' ? String(value) : value,
        ),
        signal,
      });
      await response.body?.cancel();
      // Anything else may succeed later, so that the output tries again.
      if (response.status === 400) throw new PermanentError(`${options.url} answered 400`);
      if (!response.ok) throw new Error(`${options.url} answered ${response.status}`);
    },
  }),
});
