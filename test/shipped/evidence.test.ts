import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { missingShared, sharedPath } from '../support/needs.ts';
import { digestFacts, listObjectFolders, readEvidence } from './evidence-files.ts';
import { loadShippedDefinitions } from './shipped.ts';

const { raw } = loadShippedDefinitions();
const evidence = readEvidence();
const skip = missingShared('parity');

describe('the evidence of the shipped objects', () => {
  it('exists for every object as it is now; `npm run evidence` tries changed objects', () => {
    const untried = [...raw.objects.keys()].filter((id) => evidence.get(id)?.facts !== digestFacts(raw, id));
    assert.deepEqual(untried, []);
  });

  it('is that of objects that exist', () => {
    assert.deepEqual(
      [...evidence.keys()].filter((id) => !raw.objects.has(id)),
      [],
    );
  });

  it('stands in the file of the folder that has the object', () => {
    const listed = [...listObjectFolders().values()].flat();
    assert.deepEqual(listed.sort(), [...raw.objects.keys()].sort());
  });

  it('names a recording that was written for it', () => {
    const names = new Set([...evidence.values()].flatMap(({ written }) => written ?? []));
    assert.deepEqual(
      [...names].filter((name) => !isRecording(name, [pathOf('../recordings'), pathOf('fixtures')])),
      [],
    );
  });

  it('names a recorded device', { skip }, () => {
    const folders = [sharedPath('recordings'), sharedPath('parity/recordings')];
    const names = new Set([...evidence.values()].flatMap(({ recording }) => recording ?? []));
    assert.deepEqual(
      [...names].filter((name) => !isRecording(name, folders)),
      [],
    );
  });
});

function isRecording(name: string, folders: readonly string[]): boolean {
  return folders.some((folder) =>
    ['.snmprec', '.snmprec.gz'].some((ending) => existsSync(join(folder, `${name}${ending}`))),
  );
}

function pathOf(folder: string): string {
  return fileURLToPath(new URL(folder, import.meta.url));
}
