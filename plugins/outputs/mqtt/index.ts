import { createMqttOutput } from './mqtt-output.ts';

export default createMqttOutput(() => import('mqtt'));
