import { parentPort, workerData } from 'node:worker_threads';
import { serveOutput } from './serve-output.ts';

/** The entry point of an output's thread. */
if (parentPort !== null) serveOutput(parentPort, workerData);
