import { isAscii, isUtf8 } from 'node:buffer';
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { join, sep } from 'node:path';
import { blankPageBreaks } from './page-breaks.ts';
import { SourceText } from './source-text.ts';

/** Larger files are errors: the largest MIB file in use has 10 MB. */
export const maxFileBytes = 64 * 2 ** 20;

/** A path that could not be read, with the reason. */
export interface UnreadablePath {
  readonly path: string;
  readonly reason: string;
}

/** The files at and below the paths, sorted, each once however many links lead to it. */
export function listMibFiles(paths: readonly string[]): {
  readonly files: readonly string[];
  readonly unreadable: readonly UnreadablePath[];
} {
  const files: string[] = [];
  const unreadable: UnreadablePath[] = [];
  const seen = new Set<string>();
  const visit = (path: string): Pending[] => {
    const real = realpathSync(path);
    const stats = statSync(real);
    if (seen.has(real)) return [];
    seen.add(real);
    if (!stats.isFile() && !stats.isDirectory()) {
      // Reading a device or a pipe might not end.
      unreadable.push({ path, reason: 'it is neither a file nor a folder' });
      return [];
    }
    if (stats.isDirectory()) return listFolder(path, real);
    files.push(path);
    return [];
  };
  const pending: Pending[] = [...paths].reverse().map((path) => ({ path, real: undefined }));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { path, real } = next;
    try {
      if (real === undefined) pending.push(...visit(path));
      else if (!seen.has(real)) {
        seen.add(real);
        files.push(path);
      }
    } catch (error) {
      unreadable.push({ path, reason: reasonOf(error) });
    }
  }
  return { files, unreadable };
}

interface Pending {
  readonly path: string;
  /** Of a plain file, which needs no look at the disk; undefined for a folder, a link and what a person names. */
  readonly real: string | undefined;
}

/** In reverse, because what comes last is taken first. */
function listFolder(path: string, real: string): Pending[] {
  const folder = join(path, sep);
  const realFolder = join(real, sep);
  return readdirSync(path, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? 1 : -1))
    .map((entry) => ({
      path: `${folder}${entry.name}`,
      real: entry.isFile() ? `${realFolder}${entry.name}` : undefined,
    }));
}

/** UTF-16 or UTF-8 where the file is that, Latin-1 otherwise. Reports a file that cannot be read, and returns no text for it. */
export function readMibFile(path: string): SourceText {
  let opened: number | undefined;
  try {
    const { file, size } = openPlainFile(path);
    opened = file;
    if (size <= maxFileBytes) return toSource(path, decode(readFileSync(file)));
    const source = new SourceText(path, '');
    const limit = `The file has ${size} bytes, and at most ${maxFileBytes} are read.`;
    source.report('error', 'file-too-large', limit, 0);
    return source;
  } catch (error) {
    const source = new SourceText(path, '');
    source.report('error', 'file-unreadable', `The file cannot be read: ${reasonOf(error)}.`, 0);
    return source;
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}

function toSource(path: string, decoded: string): SourceText {
  const { text, first } = blankPageBreaks(decoded);
  const source = new SourceText(path, text);
  const message = 'The first and last lines of pages, which an RFC has, are not read.';
  if (first !== undefined) source.report('warning', 'page-break', message, first);
  return source;
}

/** Does not wait for a writer when a pipe has taken the place of a file that was listed. The caller closes it. */
export function openPlainFile(path: string): { readonly file: number; readonly size: number } {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  const stats = fstatSync(file);
  if (stats.isFile()) return { file, size: stats.size };
  closeSync(file);
  throw new NotPlainError();
}

class NotPlainError extends Error {
  override readonly message = 'it is no plain file';
}

function decode(bytes: Buffer): string {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe) return bytes.subarray(2).toString('utf16le');
  if (first === 0xfe && second === 0xff) return decodeBigEndian(bytes.subarray(2));
  // Without a byte order mark, every second byte of English text is 0.
  if (first && second === 0 && third && fourth === 0) return bytes.toString('utf16le');
  if (first === 0 && second && third === 0 && fourth) return decodeBigEndian(bytes);
  if (isAscii(bytes) || !isUtf8(bytes)) return bytes.toString('latin1');
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

function decodeBigEndian(bytes: Buffer): string {
  return Buffer.from(bytes.subarray(0, bytes.length & ~1))
    .swap16()
    .toString('utf16le');
}

function reasonOf(error: unknown): string {
  if (error instanceof NotPlainError) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return reasons[code] ?? code;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or directory',
  EACCES: 'permission is denied',
  ELOOP: 'its path has too many symbolic links, or a circle of them',
};
