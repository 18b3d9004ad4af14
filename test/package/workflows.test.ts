import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { checkout } from './support/packed-package.ts';

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Job {
  readonly strategy?: { readonly matrix: { readonly node?: readonly string[] } };
  readonly 'timeout-minutes': number;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

const folder = join(checkout, '.github/workflows');
const workflows = readdirSync(folder).map((name) => {
  const text = readFileSync(join(folder, name), 'utf8');
  return { name, text, workflow: parse(text) as Workflow };
});
const manifest = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as {
  readonly engines: { readonly node: string };
  readonly scripts: Readonly<Record<string, string>>;
};
const steps = workflows.flatMap(({ workflow }) => Object.values(workflow.jobs).flatMap((job) => job.steps));

describe('the workflows of the public CI', () => {
  it('use each action by a commit, with its version beside it', () => {
    const lines = workflows.flatMap(({ text }) => text.split('\n').filter((line) => /\buses:/.test(line)));
    assert.ok(lines.length > 0);
    assert.deepEqual(
      lines.filter((line) => !/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line)),
      [],
    );
  });

  it('may read the repository and no more, unless a job says otherwise', () => {
    for (const { name, workflow } of workflows) {
      assert.deepEqual(workflow.permissions, { contents: 'read' }, name);
      for (const [job, { 'timeout-minutes': minutes }] of Object.entries(workflow.jobs)) {
        assert.ok(minutes > 0, `${name}: ${job} has no timeout`);
      }
    }
  });

  it('call scripts that exist', () => {
    const scripts = steps.flatMap(({ run = '' }) =>
      [...run.matchAll(/\bnpm (?:run (?:-s )?)?(build|test|check|long|lint|types|docs)\b/g)].map(
        ([, name]) => name!,
      ),
    );
    assert.ok(scripts.length > 5);
    assert.deepEqual(
      scripts.filter((name) => manifest.scripts[name] === undefined),
      [],
    );
  });

  it('test on every supported line of Node.js, beginning with the oldest version', () => {
    const tested = workflows.flatMap(({ workflow }) =>
      Object.values(workflow.jobs).flatMap(({ strategy }) => strategy?.matrix.node ?? []),
    );
    const page = readFileSync(join(checkout, 'docs/upgrade.md'), 'utf8');
    const [, named = ''] = /^\| Node\.js \| ([^.]+\.\d+[^.]*)\./m.exec(page) ?? [];
    assert.equal(`>=${tested[0]}`, manifest.engines.node);
    assert.deepEqual(named.match(/\d+(\.\d+)?/g), tested);
  });
});
