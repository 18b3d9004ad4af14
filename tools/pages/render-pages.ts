import { renderApiReport } from '../api-report/api-report-page.ts';
import { describeApi } from '../client/describe-api.ts';
import { renderOperations, renderSchemas } from '../client/render-operations.ts';
import { renderCollected } from './collected-page.ts';
import { renderKeys } from './definition-keys-page.ts';
import { renderErrors } from './errors-page.ts';
import { renderEvents } from './events-page.ts';
import { renderArchitecture, renderContributing } from './house-pages.ts';
import { renderHousePicture } from './house-picture.ts';
import { renderOptions } from './options-page.ts';
import { renderSyntaxes } from './syntaxes-page.ts';
import { renderVocabulary } from './vocabulary-page.ts';

/** Every file that is made from the code, by its path from the repository's root. */
export async function renderPages(): Promise<ReadonlyMap<string, string>> {
  const api = await describeApi();
  return new Map([
    ['ARCHITECTURE.md', renderArchitecture()],
    ['CONTRIBUTING.md', renderContributing()],
    ['docs/api-report.md', await renderApiReport(api)],
    ['docs/collected.md', renderCollected()],
    ['docs/definition-keys.md', renderKeys()],
    ['docs/errors.md', await renderErrors()],
    ['docs/events.md', renderEvents()],
    ['docs/options.md', await renderOptions()],
    ['docs/pictures/house.svg', renderHousePicture()],
    ['docs/syntaxes.md', renderSyntaxes()],
    ['docs/vocabulary.md', renderVocabulary()],
    ['src/client/operations.ts', renderOperations(api)],
    ['src/client/schemas.ts', renderSchemas(api)],
  ]);
}
