import { StrictBroker } from '../../../test/plugins/outputs/kafka/strict-broker.ts';

/** A broker in a separate process, so that its cost is not measured. Its first message is its port. */
const broker = await new StrictBroker().start();
process.send?.(broker.port);
setInterval(() => {
  broker.batches.length = 0;
  for (const partition of broker.stored) partition.length = 0;
}, 100);
