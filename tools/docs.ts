import { writeFileSync } from 'node:fs';
import { renderPages } from './pages/render-pages.ts';

/** Writes the pages of docs/ and the sources that are made from the code. */
for (const [path, text] of await renderPages()) writeFileSync(new URL(`../${path}`, import.meta.url), text);
