import { buildCode, importBuilt } from '../support/built-code.ts';

/** The built store of definitions and its thread. */
export async function importLoader() {
  buildCode();
  const { DefinitionStore } = await importBuilt<
    typeof import('../../plugins/definitions-loader/generation/definition-store.ts')
  >('plugins/definitions-loader/generation/definition-store.ts');
  const { startThread } = await importBuilt<
    typeof import('../../plugins/definitions-loader/worker/start-thread.ts')
  >('plugins/definitions-loader/worker/start-thread.ts');
  return { DefinitionStore, startThread };
}
