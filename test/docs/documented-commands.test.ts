import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { repositoryRoot } from '../house/support/source-file.ts';
import { onlyLong } from '../support/long-run.ts';
import { findNpmFault } from './support/npm-line.ts';
import { type DocumentedLine, listCommands, readPages } from './support/page.ts';
import { splitLine } from './support/shell-words.ts';
import { type Stage, setStage } from './support/stage.ts';
import { Typist } from './support/typist.ts';

/** Commands that cannot be run here, and the test that covers what they do. */
const coveredElsewhere: readonly (readonly [line: RegExp, test: string])[] = [
  [/^docker (build|run) /, 'test/examples/deployment.test.ts'],
  [
    /^(etcd|node made-up-devices\.js|sh start-member\.sh|export|docker compose|kubectl) /,
    'test/examples/cluster.test.ts',
  ],
  [/^(npm install --global|useradd|install|systemctl|sudo -u waywiser) /, 'test/examples/deployment.test.ts'],
  [/^(promtool|prometheus) /, 'test/examples/demonstration.test.ts'],
  [/^npm run build && alias waywiser=/, 'test/cli/definitions/commands.test.ts'],
  [/^waywiser start\b/, 'test/cli/run/start.test.ts'],
  [/^waywiser init$/, 'test/cli/init/init.test.ts'],
  [/^waywiser trap (listen|decode) /, 'test/cli/trap/trap-commands.test.ts'],
  [/^curl -u /, 'test/plugins/http-api/security/passwords.test.ts'],
  [/^curl .*\/api\/v1\/state-changes\//, 'test/examples/packages.test.ts'],
];
/** Their commands take seconds. Every run tries those of the other pages, the README among them. */
const slow = /^docs\/(commands|definitions|http-api|init|migration|record-model)\.md$/;
const pages = readPages();

describe('every command in the documentation', () => {
  let stage: Stage;
  let typist: Typist;

  before(async () => {
    stage = await setStage();
    typist = new Typist(stage);
  });
  after(async () => {
    typist?.close();
    await stage?.close();
  });

  for (const page of pages) {
    const lines = listCommands(page);
    if (lines.length === 0) continue;
    it(`in ${page.path} succeeds`, { skip: slow.test(page.path) && onlyLong }, async () => {
      const folder = stage.prepare(page);
      const faults: string[] = [];
      let here = folder;
      let block = 0;
      for (const line of lines) {
        if (line.block !== block) here = folder;
        block = line.block;
        if (coveredElsewhere.some(([pattern]) => pattern.test(line.text))) continue;
        try {
          here = await typist.type(line, here);
        } catch (error) {
          faults.push(describeFault(line, error));
        }
      }
      assert.deepEqual(faults, []);
    });
  }

  it('is run here or covered by an existing test', () => {
    const texts = pages.flatMap(listCommands).map(({ text }) => text);
    for (const [pattern, test] of coveredElsewhere) {
      assert.ok(existsSync(join(repositoryRoot, test)), test);
      assert.ok(
        texts.some((text) => pattern.test(text)),
        `no command matches ${pattern}`,
      );
    }
  });

  it('of npm in running text exists', () => {
    const faults = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/`(?:[A-Z_]+=\S+ )*(npm [^`…]+)`/g)].flatMap(([, line = '']) =>
        splitLine(line, {}).flatMap(({ words: [, ...words] }) => {
          const isAnyPackage = words.length === 1 && words[0] === 'test';
          const fault = isAnyPackage ? undefined : findNpmFault(words, path, repositoryRoot);
          return fault === undefined ? [] : [`${path}: ${line}: ${fault}`];
        }),
      ),
    );
    assert.deepEqual(faults, []);
  });
});

function describeFault({ page, line, text }: DocumentedLine, error: unknown): string {
  return `${page}:${line}: ${text}: ${error instanceof Error ? error.message : error}`;
}
