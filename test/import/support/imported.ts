import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { readDefinitions } from '../../../plugins/definitions-loader/offline.ts';
import { importConfiguration } from '../../../src/cli/import/import-configuration.ts';
import { shippedDefinitions } from '../../../src/collector/own-package.ts';
import { printed } from '../../cli/support/printed.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

export interface Note {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly what: string;
  readonly reason: string;
}

interface Imported {
  readonly counts: Readonly<Record<string, number>>;
  readonly translated: readonly Note[];
  readonly refused: readonly Note[];
  readonly unreadable: readonly Note[];
  readonly written: readonly string[];
}

/** Imports files by their names, or a path, into a new directory, perhaps with the text of a MIB file. */
export async function imported(
  test: TestContext,
  format: string,
  source: string | Readonly<Record<string, string>>,
  mib?: string,
): Promise<Imported & { readonly directory: string; readonly source: string }> {
  const folder = temporaryFolder(test);
  const directory = join(folder, 'out');
  const path = typeof source === 'string' ? source : writeFiles(join(folder, 'source'), source);
  const mibs = mib === undefined ? undefined : [writeFiles(join(folder, 'mibs'), { 'MIB.txt': mib })];
  const options = { out: directory, json: true, mibs };
  const json = await printed(test, () => importConfiguration(format, path, options));
  return { ...JSON.parse(json), directory, source: path };
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** What was written, read beside the definitions that ship, with its problems. */
export function readImported(directory: string): ReturnType<typeof readDefinitions> {
  return readDefinitions(
    { shipped: shippedDefinitions(), directories: [directory] },
    join(directory, 'secrets'),
  );
}

/** `line:column what` of each note. */
export function placesOf(notes: readonly Note[]): string[] {
  return notes.map(({ line, column, what }) => `${line}:${column} ${what}`);
}
