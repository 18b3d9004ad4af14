import { createNatsOutput } from './nats-output.ts';

export default createNatsOutput(() => import('@nats-io/transport-node'));
