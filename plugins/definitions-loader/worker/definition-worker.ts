import { env } from 'node:process';
import { parentPort } from 'node:worker_threads';
import { DefinitionEngine } from './definition-engine.ts';
import type { WorkerRequest } from './worker-messages.ts';

/** The thread's own code: answers one request after the other, an error as its text. */
const engine = new DefinitionEngine({ ...env });

parentPort?.on('message', (request: WorkerRequest) => {
  try {
    parentPort?.postMessage({ value: answer(request) });
  } catch (error) {
    parentPort?.postMessage({ error: error instanceof Error ? error.message : String(error) });
  }
});

function answer(request: WorkerRequest): unknown {
  switch (request.type) {
    case 'read':
      return engine.read(request.sources, request.secretsDirectory, request.withCost);
    case 'restore':
      return engine.restore(request.snapshot, request.secretsDirectory);
    case 'next':
      return engine.nextPiece();
    case 'accept':
      return engine.accept(request.generation, request.snapshot);
  }
}
