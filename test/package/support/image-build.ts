import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { env, getuid } from 'node:process';
import { missingTool } from '../../support/needs.ts';

/** Each step runs in a root directory of its own, which only root may mount. */
export const missingImageRights: string | false =
  missingTool('unshare') || (getuid?.() !== 0 && env['CI'] !== 'true' && 'only root may mount file systems');

/** What the base image is in a build here: these folders of this machine, and the user `node`. */
const baseFolders = ['bin', 'sbin', 'lib', 'lib64', 'usr', 'opt', 'etc', 'dev', 'proc', 'run', 'root'];
const users = 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/tmp:/bin/sh\n';
const groups = 'root:x:0:\nnode:x:1000:\n';

/** In a mount namespace that ends with the process: $0 is the root, $1 the user, $2 the working directory; the rest is the command. */
const enter = `set -e
for name in ${baseFolders.join(' ')}; do
  if [ -L "/$name" ]; then [ -L "$0/$name" ] || cp -P "/$name" "$0/$name"
  elif [ -d "/$name" ]; then mkdir -p "$0/$name"; mount --rbind "/$name" "$0/$name"
  fi
done
mount --bind "$0.passwd" "$0/etc/passwd"
mount --bind "$0.group" "$0/etc/group"
user=$1; shift
exec chroot --userspec="$user" "$0" sh -c 'cd "$0" && exec "$@"' "$@"`;

/** A stage of a Dockerfile: its files, and what its instructions set. */
export class ImageStage {
  readonly root: string;
  #folder = '/';
  #user = 'root:root';
  readonly #env: Record<string, string> = {};
  #entrypoint: readonly string[] = [];
  #command: readonly string[] = [];

  constructor(root: string) {
    this.root = root;
    mkdirSync(join(root, 'tmp'), { recursive: true });
    writeFileSync(`${root}.passwd`, users);
    writeFileSync(`${root}.group`, groups);
  }

  /** Runs the entry point and the command, as `docker run` does. */
  start(options: SpawnOptions): ChildProcess {
    return this.#spawn([...this.#entrypoint, ...this.#command], options);
  }

  /** Carries out one instruction. Throws for one that is unknown here, and when a step fails. */
  async follow(name: string, text: string, sourceOf: (stage: string | undefined) => string): Promise<void> {
    if (name === 'WORKDIR') {
      this.#folder = posix.resolve(this.#folder, text);
      mkdirSync(join(this.root, this.#folder), { recursive: true });
    } else if (name === 'COPY') this.#copy(text.split(' '), sourceOf);
    else if (name === 'RUN') await this.#run(text);
    else if (name === 'USER') this.#user = `${text}:${text}`;
    else if (name === 'ENV') this.#env[text.split('=')[0]!] = text.split('=').slice(1).join('=');
    else if (name === 'ENTRYPOINT') this.#entrypoint = JSON.parse(text);
    else if (name === 'CMD') this.#command = JSON.parse(text);
    else if (name !== 'EXPOSE') throw new Error(`The instruction ${name} is unknown here.`);
  }

  #copy(words: string[], sourceOf: (stage: string | undefined) => string): void {
    const from = sourceOf(/^--from=(.+)/.exec(words[0]!)?.[1]);
    const paths = words.filter((word) => !word.startsWith('--'));
    const target = paths.pop()!;
    const place = posix.resolve(this.#folder, target);
    for (const path of paths) {
      const source = join(from, path);
      const isInto = (target.endsWith('/') || paths.length > 1) && !statSync(source).isDirectory();
      const to = join(this.root, place, isInto ? basename(path) : '');
      cpSync(source, to, { recursive: true, verbatimSymlinks: true });
    }
  }

  async #run(text: string): Promise<void> {
    const step = this.#spawn(['sh', '-c', text], { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [step.stdout!, step.stderr!]) stream.on('data', (chunk) => (said += chunk));
    const [code] = await once(step, 'close');
    if (code !== 0) throw new Error(`RUN ${text} ended with code ${code}:\n${said}`);
  }

  #spawn(command: readonly string[], options: SpawnOptions): ChildProcess {
    const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, NODE_V8_COVERAGE: ___, ...inherited } = env;
    const words = ['--mount', 'sh', '-c', enter, this.root, this.#user, this.#folder, ...command];
    return spawn('unshare', words, { ...options, env: { ...inherited, ...this.#env } });
  }
}

/** Follows a Dockerfile without Docker and without its base image, and returns the last stage. The stages are made in `folder`. */
export async function buildImage(dockerfile: string, context: string, folder: string): Promise<ImageStage> {
  const stages = new Map<string, ImageStage>();
  let stage: ImageStage | undefined;
  const sourceOf = (name: string | undefined) => (name === undefined ? context : stages.get(name)!.root);
  const lines = dockerfile.replace(/\\\n/g, ' ').split('\n');
  for (const line of lines.filter((line) => /^[^#\s]/.test(line))) {
    const [, name, text] = /^(\w+) +(.+)$/.exec(line)!;
    if (name === 'FROM') {
      const stageName = / AS (\w+)$/.exec(text!)?.[1] ?? `stage-${stages.size}`;
      stage = new ImageStage(join(folder, stageName));
      stages.set(stageName, stage);
    } else await stage!.follow(name!, text!, sourceOf);
  }
  return stage!;
}
