import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { argv, env } from 'node:process';
import { fileURLToPath } from 'node:url';
import { MibSet } from '../authoring/mib/index.ts';
import {
  digestFacts,
  type Evidence,
  evidenceDirectory,
  listObjectFolders,
  readEvidence,
} from '../test/shipped/evidence-files.ts';
import { loadShippedDefinitions } from '../test/shipped/shipped.ts';
import { compareWithMib } from './evidence/compared-objects.ts';
import { tryObjects } from './evidence/recorded-objects.ts';

// npm run evidence [-- FOLDER…]: tries the objects of definitions/objects/FOLDER that changed, or all that changed, on the
// recordings, and compares those that no recording answers with their MIB. It writes test/shipped/evidence and prints what is wrong.
const shared = fileURLToPath(new URL('../../shared/', import.meta.url));
const written = ['../test/recordings/', '../test/shipped/fixtures/'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);
const definitions = loadShippedDefinitions();
const known = readEvidence();
const wanted = argv.slice(2);
const folders = [...listObjectFolders()].filter(
  ([folder]) => wanted.length === 0 || wanted.some((path) => `${folder}/`.startsWith(`${path}/`)),
);
const problems = new Map<string, string[]>();
const found = new Map<string, Evidence>();
const facts = new Map<string, string>();
for (const [, ids] of folders)
  for (const id of ids) {
    if (!definitions.objects.has(id)) continue;
    facts.set(id, digestFacts(definitions.raw, id));
    const before = known.get(id);
    if (before !== undefined && before.facts === facts.get(id)) found.set(id, before);
  }

const pending = () => [...facts.keys()].filter((id) => !found.has(id));
const recorded = ['recordings', 'parity/recordings'].map((folder) => join(shared, folder));
for (const [kind, places] of [
  ['recording', recorded],
  ['written', written],
] as const)
  for (const path of places.flatMap(listRecordings)) {
    const left = pending();
    if (left.length === 0) break;
    for (const [id, wrong] of await tryObjects(path, left, definitions)) {
      const name = basename(path).replace(/\.snmprec(\.gz)?$/, '');
      if (wrong.length === 0) found.set(id, { facts: facts.get(id)!, [kind]: name });
      else problems.set(id, [...(problems.get(id) ?? []), `${name}: ${wrong.join('; ')}`]);
    }
  }

await withMibs((mibs) => {
  for (const id of pending()) {
    const wrong = compareWithMib(id, definitions, mibs);
    if (wrong === undefined) continue;
    if (wrong.length > 0) problems.set(id, [...(problems.get(id) ?? []), ...wrong]);
    else found.set(id, { facts: facts.get(id)!, mib: definitions.raw.objects.get(id)!.mib! });
  }
});

for (const [folder, ids] of folders) {
  const lines = ids.filter((id) => found.has(id)).map((id) => renderEvidence(id, found.get(id)!));
  const file = join(evidenceDirectory, `${folder.replaceAll('/', '-')}.json`);
  if (lines.length > 0) writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
  else rmSync(file, { force: true });
}
for (const id of pending())
  console.log(`${id}: ${problems.get(id)?.join(' | ') ?? 'neither a recording nor a MIB'}`);
console.log(`${found.size} of ${facts.size} objects have evidence`);

/** As the formatter leaves it. */
function renderEvidence(id: string, evidence: Evidence): string {
  const pairs = Object.entries(evidence).map(([key, value]) => `"${key}": ${JSON.stringify(value)}`);
  const line = `  ${JSON.stringify(id)}: { ${pairs.join(', ')} }`;
  if (line.length < 110) return line;
  return `  ${JSON.stringify(id)}: {\n${pairs.map((pair) => `    ${pair}`).join(',\n')}\n  }`;
}

function listRecordings(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /\.snmprec(\.gz)?$/.test(name))
    .map((name) => join(folder, name));
}

/** The MIBs of ../shared, or those of the folder that MIBS names. */
async function withMibs(use: (mibs: MibSet) => void): Promise<void> {
  const archive = join(shared, 'mibs-corpus.tar.xz');
  if (pending().length === 0) return;
  if (env['MIBS'] !== undefined) return use(new MibSet([env['MIBS']]));
  if (!existsSync(archive)) return;
  const folder = mkdtempSync(join(tmpdir(), 'mibs-'));
  try {
    execFileSync('tar', ['-xJf', archive, '-C', folder]);
    use(new MibSet([folder, join(shared, 'mibs')]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
