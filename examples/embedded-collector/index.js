// @ts-check
import { createCollector, defineOutput, rowsOf } from 'waywiser';
import { httpApiToken } from 'waywiser/plugins/http-api';

const printer = defineOutput({
  name: 'printer',
  summary: 'Prints every row.',
  open: () => ({
    write(batches) {
      for (const batch of batches) console.log(batch.record, ...rowsOf(batch));
    },
  }),
});
const collector = await createCollector({
  plugins: {
    'definitions-loader': { shipped: false, directories: [] },
    'http-api': { port: Number(process.argv[2]) },
    events: { outputs: ['printer'] },
    printer,
  },
});
await collector.start();
console.log(`The API listens at ${collector.getService(httpApiToken).baseUrl}`);
process.once('SIGTERM', () => collector.stop('received SIGTERM'));
