import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { modulePath, nodeOptions } from '../../../support/own-module.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import type { MemberReport } from './member-process.ts';

export interface MemberChildOptions {
  readonly name: string;
  readonly definitions: string;
  readonly etcd: string;
  readonly onOutage?: string;
  readonly stateDirectory?: string;
}

/** A member of a cluster in a process of its own. */
export class MemberChild {
  readonly child: ChildProcess;
  owned = 0;
  /** The attributes of the object `SNMPv2-MIB::system` that it uses. */
  attributes: readonly string[] = [];
  readonly #keyListeners = new Set<(key: string) => void>();

  constructor(
    t: { after(run: () => unknown): void },
    { name, definitions, etcd, onOutage = 'stop', stateDirectory = temporaryFolder(t) }: MemberChildOptions,
  ) {
    const script = modulePath(new URL('./member-process.ts', import.meta.url));
    this.child = fork(script, [name, definitions, etcd, stateDirectory, onOutage], {
      execArgv: [...nodeOptions],
    });
    this.child.on('message', ({ owned, attributes, key }: MemberReport) => {
      this.owned = owned ?? this.owned;
      this.attributes = attributes ?? this.attributes;
      if (key !== undefined) for (const listener of this.#keyListeners) listener(key);
    });
    t.after(() => this.child.kill('SIGKILL'));
  }

  /** Applies the files of this member to the whole cluster. */
  apply(): void {
    this.child.send('apply');
  }

  /** Calls `listener` when the member has heard of a change of a shared value of the definitions. */
  onKey(listener: (key: string) => void): void {
    this.#keyListeners.add(listener);
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const exited = once(this.child, 'exit');
    this.child.kill(signal);
    await exited;
    this.owned = 0;
  }
}
