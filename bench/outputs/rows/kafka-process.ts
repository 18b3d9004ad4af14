import { StrictBroker } from '../../../test/plugins/outputs/kafka/strict-broker.ts';

/** A broker in a process of its own, so that what it costs is not measured; its port is its first message. */
const broker = await new StrictBroker().start();
process.send?.(broker.port);
setInterval(() => {
  broker.batches.length = 0;
  for (const partition of broker.stored) partition.length = 0;
}, 100);
