import { createKafkaOutput } from './kafka-output.ts';

export default createKafkaOutput(() => import('@platformatic/kafka'));
