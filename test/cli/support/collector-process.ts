import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { TestContext } from 'node:test';
import { modulePath, nodeOptions } from '../../support/own-module.ts';

const index = modulePath(new URL('../../../src/index.ts', import.meta.url));
const main = modulePath(new URL('../../../cli/main.ts', import.meta.url));

/** A folder with a configuration and plugins, in which `waywiser` commands run. */
export class CollectorProcess {
  readonly folder = mkdtempSync(join(tmpdir(), 'waywiser-cli-'));
  stdout = '';
  stderr = '';
  #child: ChildProcess | undefined;
  #exit: Promise<number> | undefined;

  constructor(test: Pick<TestContext, 'after'>) {
    this.write('package.json', '{ "type": "module" }');
    test.after(() => {
      this.#child?.kill('SIGKILL');
      rmSync(this.folder, { recursive: true, force: true });
    });
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  /** Writes NAME.js with a plugin of that name; `rest` are the other properties of its definition. */
  writePlugin(name: string, rest: string, before = ''): void {
    this.write(
      `${name}.js`,
      `import { definePlugin, serviceToken, Type } from ${JSON.stringify(index)};
export const token = serviceToken('${name}');
${before}
export default definePlugin({ name: '${name}', kind: 'service', summary: 'Misbehaves.', ${rest} });
`,
    );
  }

  /** `launcher` is the start of the command line, such as `withoutRootRights`. */
  run(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    input = '',
    launcher: readonly string[] = [],
  ): void {
    const [program = '', ...words] = [...launcher, process.execPath, ...nodeOptions, main, ...args];
    const child = spawn(program, words, {
      cwd: this.folder,
      env: { ...process.env, NO_COLOR: '1', ...env },
      stdio: [input === '' ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    child.stdin?.end(input);
    child.stdout!.on('data', (text) => {
      this.stdout += text;
    });
    child.stderr!.on('data', (text) => {
      this.stderr += text;
    });
    this.#child = child;
    this.#exit = once(child, 'close').then(([code]) => code);
  }

  /** Standard output as a stream. Destroy it to close the pipe. */
  get output(): Readable {
    return this.#child!.stdout!;
  }

  /** Leaves what the process writes from now on without a reader. */
  closeOutputs(): void {
    this.#child!.stdout!.destroy();
    this.#child!.stderr!.destroy();
  }

  get exit(): Promise<number> {
    return this.#exit!;
  }

  kill(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Waits until standard error holds `text`. */
  async reads(text: string): Promise<void> {
    while (!this.stderr.includes(text)) {
      const next = await Promise.race([once(this.#child!.stderr!, 'data'), this.exit]);
      if (typeof next === 'number')
        throw new Error(`ended with ${next} before it wrote "${text}": ${this.stderr}`);
    }
  }
}
