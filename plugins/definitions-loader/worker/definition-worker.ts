import { env } from 'node:process';
import { parentPort } from 'node:worker_threads';
import { answerRequest, DefinitionEngine } from './definition-engine.ts';
import type { WorkerRequest } from './worker-messages.ts';

/** The code of the thread: answers one request after the other. */
const engine = new DefinitionEngine({ ...env });

parentPort?.on('message', (request: WorkerRequest) =>
  parentPort?.postMessage(answerRequest(engine, request)),
);
