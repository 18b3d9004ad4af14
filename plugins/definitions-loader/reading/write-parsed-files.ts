import { shippedDefinitions } from '../../../src/internal.ts';
import { DefinitionReader } from './definition-reader.ts';
import { writeParsedFiles } from './parsed-files.ts';

// The end of npm run build.
const { files } = new DefinitionReader().read({ shipped: shippedDefinitions(), directories: [] });
writeParsedFiles(files.map(({ content }) => content));
