import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { defineErrors } from '../../src/index.ts';
import { webPageErrors } from './errors.ts';

const failure = defineErrors(webPageErrors);

/** A file of the page in all forms that it is sent in. */
export interface PageFile {
  readonly name: string;
  readonly type: string;
  readonly etag: string;
  readonly plain: Buffer;
  readonly gzip: Buffer;
  readonly br: Buffer;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The files that the build wrote. All together are below a megabyte, so they stay in memory. Throws when there are none. */
export function readPageFiles(folder: string): PageFile[] {
  if (!existsSync(join(folder, 'index.html'))) throw failure('WEB_PAGE_NOT_BUILT', { folder });
  return readdirSync(folder)
    .filter((name) => types[extname(name)] !== undefined)
    .map((name) => {
      const read = (end: string) => readFileSync(join(folder, name + end));
      const plain = read('');
      const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
      return { name, type: types[extname(name)]!, etag, plain, gzip: read('.gz'), br: read('.br') };
    });
}
