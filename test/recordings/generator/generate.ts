import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { madeUpRecordings } from './made-up-recordings.ts';

/** Writes every made-up recording anew: `node --import tsx test/recordings/generator/generate.ts`. */
for (const [name, make] of madeUpRecordings) {
  writeFileSync(fileURLToPath(new URL(`../${name}.snmprec`, import.meta.url)), make(), 'latin1');
}
