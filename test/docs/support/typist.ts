import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { modulePath, nodeOptions } from '../../support/own-module.ts';
import { curl } from './curl.ts';
import { findNpmFault } from './npm-line.ts';
import type { DocumentedLine } from './page.ts';
import { splitLine } from './shell-words.ts';
import type { Stage } from './stage.ts';

/** Runs the command lines of the pages. */
export class Typist {
  readonly #stage: Stage;
  readonly #children: ChildProcess[] = [];
  #commands: ChildProcess | undefined;
  readonly #typed = new Set<string>();
  #printed = '';

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /**
   * Runs a line in a folder and returns the folder for the next line. Rejects when a command fails. A command that already ran in a
   * folder with the same content is skipped.
   */
  async type({ page, text }: DocumentedLine, folder: string): Promise<string> {
    let here = folder;
    for (const { words, input } of splitLine(this.#stage.localise(text), this.#stage.env)) {
      const [program = '', ...rest] = words;
      if (program === 'mkdir') mkdirSync(resolve(here, rest[0] ?? ''));
      else if (program === 'cd') here = resolve(here, rest[0] ?? '');
      else if (program !== '' && !this.#isRepeated(words, here === folder)) {
        await this.#run(program, rest, here, page, input);
        this.#typed.add(words.join(' '));
      }
    }
    return here;
  }

  /** Commands that write files or start a background program are repeated: later lines need their effect. */
  #isRepeated(words: readonly string[], isFurnished: boolean): boolean {
    const [program, command] = words;
    const hasTraces = program !== 'waywiser' || ['new', 'token', 'password', 'init'].includes(command ?? '');
    return isFurnished && !hasTraces && this.#typed.has(words.join(' '));
  }

  close(): void {
    for (const child of this.#children) child.kill('SIGKILL');
  }

  async #run(
    program: string,
    words: readonly string[],
    folder: string,
    page: string,
    input?: string,
  ): Promise<void> {
    if (program === 'waywiser') return this.#runOurs(words, folder, input);
    if (program === 'node') return this.#runInBackground(words, folder);
    if (program === 'npm') {
      const fault = findNpmFault(words, page, folder);
      if (fault !== undefined) throw new Error(fault);
    } else if (program === 'curl') {
      const status = await curl(words);
      if (status < 200 || status > 299) throw new Error(`the answer is ${status}`);
    } else throw new Error(`${program} is not run here`);
  }

  /** Runs `waywiser …`; all commands share one process, so that the sources are loaded once. */
  async #runOurs(words: readonly string[], folder: string, input: string | undefined): Promise<void> {
    if (input === undefined) this.#commands ??= this.#fork('ignore');
    const child = input === undefined ? this.#commands! : this.#fork(openSync(join(folder, input), 'r'));
    this.#printed = '';
    child.send({ words, folder });
    const over = new AbortController();
    const [code] = await Promise.race([once(child, 'message', over), once(child, 'exit', over)]);
    over.abort();
    if (code !== 0) throw new Error(`the exit code is ${code}: ${this.#printed.slice(-1_000)}`);
  }

  #fork(stdin: 'ignore' | number): ChildProcess {
    const child = fork(modulePath(new URL('./cli-child.ts', import.meta.url)), {
      execArgv: [...nodeOptions],
      env: { ...process.env, ...this.#stage.env, NO_COLOR: '1' },
      stdio: [stdin, 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.on('data', (text) => {
        this.#printed += text;
      });
    }
    this.#children.push(child);
    return child;
  }

  /** Runs a line that ends with `&`. It is ready as soon as it has printed something; it fails if it ends before that. */
  async #runInBackground(words: readonly string[], folder: string): Promise<void> {
    const child = spawn(process.execPath, words, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    this.#children.push(child);
    const ended = once(child, 'exit').then(([code]) =>
      Promise.reject(new Error(`it ended with the code ${code}`)),
    );
    await Promise.race([once(child.stdout, 'data'), ended]);
  }
}
