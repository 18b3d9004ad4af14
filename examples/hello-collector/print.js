// @ts-check
import { defineOutput, rowsOf } from 'waywiser';

/** An output: prints each row. */
export default defineOutput({
  name: 'print',
  summary: 'Prints every row on standard output.',
  open: () => ({
    write(batches) {
      for (const batch of batches) {
        for (const { labels, values } of rowsOf(batch)) {
          const time = new Date(batch.timeMs).toISOString();
          console.log(
            time,
            batch.device.name,
            batch.record,
            JSON.stringify({ ...batch.tags, ...labels, ...values }),
          );
        }
      }
    },
  }),
});
