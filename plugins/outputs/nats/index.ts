import { createNatsOutput } from './nats-output.ts';

export default createNatsOutput({
  transport: () => import('@nats-io/transport-node'),
  jetstream: () => import('@nats-io/jetstream'),
});
