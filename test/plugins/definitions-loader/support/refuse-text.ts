import { DefinitionEngine } from '../../../../plugins/definitions-loader/worker/definition-engine.ts';
import type { CandidateReport } from '../../../../plugins/definitions-loader/worker/worker-messages.ts';
import { DefinitionDirectory } from './definition-directory.ts';
import { hostileTexts } from './hostile-texts.ts';

/** The problems that an engine reports for a hostile text. */
export function refuseText(name: string, file: string): CandidateReport['problems'] {
  using directory = new DefinitionDirectory({ [file]: hostileTexts[name] ?? '' });
  return new DefinitionEngine({}).read({ directories: [directory.path] }, undefined).problems;
}
