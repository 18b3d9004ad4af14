import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import type { TestContext } from 'node:test';
import { importConfiguration } from '../../../../cli/import/import-configuration.ts';
import { readDefinitions } from '../../../../plugins/definitions-loader/commands.ts';
import { shippedDefinitions } from '../../../../src/own-package.ts';
import { printed } from '../../../cli/support/printed.ts';

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

type Done = Imported & { readonly directory: string; readonly source: string };

const done = new Map<string, Promise<Done>>();
const folders: string[] = [];
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/**
 * Imports files by their names, or a path, into a new directory, perhaps with the text of a MIB file. The same import is done once for all
 * tests of a process: reading the definitions that ship is most of its work.
 */
export function imported(
  test: TestContext,
  format: string,
  source: string | Readonly<Record<string, string>>,
  mib?: string,
): Promise<Done> {
  const key = JSON.stringify([format, source, mib]);
  const running = done.get(key) ?? importNow(test, format, source, mib);
  done.set(key, running);
  return running;
}

async function importNow(
  test: TestContext,
  format: string,
  source: string | Readonly<Record<string, string>>,
  mib?: string,
): Promise<Done> {
  const folder = mkdtempSync(join(tmpdir(), 'waywiser-imported-'));
  folders.push(folder);
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
export function readImported(directory: string): Definitions {
  const found =
    read.get(directory) ??
    readDefinitions({ shipped: shippedDefinitions(), directories: [directory] }, join(directory, 'secrets'));
  read.set(directory, found);
  return found;
}

type Definitions = ReturnType<typeof readDefinitions>;
const read = new Map<string, Definitions>();

/** `line:column what` of each note. */
export function placesOf(notes: readonly Note[]): string[] {
  return notes.map(({ line, column, what }) => `${line}:${column} ${what}`);
}
