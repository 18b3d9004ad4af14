import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cwd } from 'node:process';
import { modulePath, nodeOptions } from '../../support/own-module.ts';

const child = modulePath(new URL('./command-child.ts', import.meta.url));
const mark = '\u0000end\u0000';

export interface CommandOrder {
  readonly words: readonly string[];
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly mark: string;
}

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `waywiser` commands one after another in one process, which loads the sources once. */
export class CommandRunner {
  readonly #child: ChildProcess;
  readonly #texts = { stdout: '', stderr: '' };
  #last: Promise<unknown> = Promise.resolve();

  /** `launcher` is the start of the command line, such as `withoutRootRights`. */
  constructor(launcher: readonly string[] = []) {
    const [program = '', ...words] = [...launcher, process.execPath, ...nodeOptions, child];
    // With both, Node.js writes a warning.
    const { FORCE_COLOR: _, ...env } = process.env;
    this.#child = spawn(program, words, {
      env: { ...env, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const name of ['stdout', 'stderr'] as const) {
      this.#child[name]!.setEncoding('utf8').on('data', (text) => {
        this.#texts[name] += text;
      });
    }
  }

  run(
    words: readonly string[],
    { folder = cwd(), env = {} }: { folder?: string; env?: Readonly<Record<string, string>> } = {},
  ): Promise<CommandResult> {
    const result = this.#last.then(() => this.#run({ words, folder, variables: env, mark }));
    this.#last = result.catch(() => undefined);
    return result;
  }

  close(): void {
    this.#child.kill('SIGKILL');
  }

  async #run(order: CommandOrder): Promise<CommandResult> {
    const over = new AbortController();
    const ended = once(this.#child, 'exit', over).then(([code]) => {
      throw new Error(`${order.words.join(' ')} ended the process with ${code}: ${this.#texts.stderr}`);
    });
    ended.catch(() => undefined);
    const replied = once(this.#child, 'message', over);
    this.#child.send(order);
    const [code] = await Promise.race([replied, ended]);
    const [stdout, stderr] = await Promise.all([this.#take('stdout'), this.#take('stderr')]);
    over.abort();
    return { code, stdout, stderr };
  }

  /** What a stream brought up to the mark. */
  async #take(name: 'stdout' | 'stderr'): Promise<string> {
    while (!this.#texts[name].includes(mark)) await once(this.#child[name]!, 'data');
    const [text = '', ...rest] = this.#texts[name].split(mark);
    this.#texts[name] = rest.join(mark);
    return text;
  }
}
