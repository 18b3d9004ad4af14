import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { renderPages } from './pages/render-pages.ts';

/** Writes the pages of docs/ and the sources that are made from the code: until nothing changes, because pages describe these sources. */
for (let isChanged = true; isChanged; ) {
  isChanged = false;
  for (const [path, text] of await renderPages()) {
    const file = new URL(`../${path}`, import.meta.url);
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
    writeFileSync(file, text);
    isChanged = true;
  }
}
