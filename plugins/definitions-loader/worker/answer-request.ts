import type { DefinitionEngine } from './definition-engine.ts';
import type { WorkerReply, WorkerRequest } from './worker-messages.ts';

/** Never throws: an error is answered as its text. */
export function answerRequest(engine: DefinitionEngine, request: WorkerRequest): WorkerReply {
  try {
    return { value: valueFor(engine, request) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function valueFor(engine: DefinitionEngine, request: WorkerRequest): unknown {
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
