import { deepEqual, equal, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { DraftAttribute, DraftObject } from '../../../authoring/drafts/draft-set.ts';
import { draftModule } from '../../../authoring/drafts/from-mib/draft-module.ts';
import { shippedColumns } from '../../../authoring/drafts/from-mib/shipped-columns.ts';
import { writeDrafts } from '../../../authoring/drafts/write-drafts.ts';
import { MibSet } from '../../../authoring/mib/index.ts';
import { readDefinitions } from '../../../plugins/definitions-loader/commands.ts';
import { shippedDefinitions } from '../../../src/own-package.ts';
import { isLong } from '../../support/long-run.ts';
import { missingShared, sharedPath } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { pollDraft } from './poll-draft.ts';
import { reviewedUnits } from './reviewed-units.ts';

/** Modules and rows, with a recording that answers them. */
const publicModules: readonly (readonly [module: string, row: string | undefined, recording: string])[] = [
  ['IF-MIB', undefined, 'cisco-c3750'],
  ['ENTITY-MIB', undefined, 'cisco-c3750'],
  ['CISCO-PROCESS-MIB', undefined, 'cisco-n5000'],
  ['UPS-MIB', undefined, 'eaton-93e-80'],
  ['PowerNet-MIB', undefined, 'apc-8641'],
  ['JUNIPER-MIB', 'jnxOperatingEntry', 'juniper-mx960-12-3r6-6'],
  ['HUAWEI-ENTITY-EXTENT-MIB', 'hwEntityStateEntry', 'huawei-s5720'],
  ['CISCO-ENVMON-MIB', 'ciscoEnvMonSupplyStatusEntry', 'cisco-c3750'],
  ['PAN-COMMON-MIB', undefined, 'paloalto-pa-5000'],
  ['XUPS-MIB', 'xupsInputEntry', 'eaton-93e-80'],
];
/** The others need the whole corpus, which only the long run unpacks. */
const standardModules = new Set(['IF-MIB', 'ENTITY-MIB', 'UPS-MIB']);

describe('drafts of public MIBs', { skip: missingShared('recordings') }, () => {
  const corpus = mkdtempSync(join(tmpdir(), 'waywiser-mibs-'));
  after(() => rmSync(corpus, { recursive: true, force: true }));
  if (isLong) execFileSync('tar', ['-xJf', sharedPath('mibs-corpus.tar.xz'), '-C', corpus]);
  const mibs = new MibSet([sharedPath('mibs'), corpus]);
  const known = shippedColumns(readDefinitions({ directories: [shippedDefinitions()] }, undefined).compiled);

  for (const [name, row, device] of publicModules) {
    const skip = isLong || standardModules.has(name) ? false : 'npm run long compiles the whole corpus';
    it(`${name}${row === undefined ? '' : `::${row}`} is valid and polls ${device}`, {
      skip,
    }, async (test) => {
      const takesGroup = (group: { readonly name: string }) => row === undefined || group.name === row;
      const { set } = draftModule(mibs.module(name)!, mibs, known, { takesGroup });
      const asked = decisionsOf(set.objects);
      const reviewed = reviewedUnits[name] ?? {};
      deepEqual(asked.map(({ key }) => key).sort(), Object.keys(reviewed).sort());
      ok(asked.length < 10);
      const others = [...set.objects, ...(set.notifications ?? [])].flatMap(({ comments = [] }) => comments);
      deepEqual(
        others.filter((line) => line.startsWith('decide:')),
        [],
      );

      const out = join(temporaryFolder(test), 'out');
      writeDrafts(set, out, { intro: ['test'] });
      for (const [key, unit] of Object.entries(reviewed)) changeUnit(out, key, unit);
      const recording = join(sharedPath('recordings'), `${device}.snmprec.gz`);
      const values = await pollDraft(out, set.objectGroups[0]!.id, recording, true);
      ok(values.size > 0);
    });
  }
});

function decisionsOf(objects: readonly DraftObject[]): DraftAttribute[] {
  return objects.flatMap(({ attributes }) =>
    attributes.filter(({ comments = [] }) => comments.some((line) => line.startsWith('decide:'))),
  );
}

/** Changes one line of a draft, which must be there once. */
function changeUnit(out: string, key: string, unit: string): void {
  const folder = join(out, 'objects');
  const line = new RegExp(
    `(^ +# decide: the unit of ${key};[^\\n]*\\n +${key}:\\n(?: {6}[^\\n]*\\n)*? {6}unit: )"1"$`,
    'm',
  );
  const files = readdirSync(folder).filter((file) => line.test(readFileSync(join(folder, file), 'utf8')));
  equal(files.length, 1, key);
  const file = join(folder, files[0]!);
  writeFileSync(file, readFileSync(file, 'utf8').replace(line, `$1"${unit}"`));
}
