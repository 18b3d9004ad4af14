import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { env } from 'node:process';
import { modulePath, nodeOptions } from '../../../support/own-module.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import type { MemberProcessOptions, MemberReport } from './member-process.ts';

export interface MemberChildOptions {
  readonly name: string;
  readonly definitions: string;
  readonly etcd: string;
  readonly onOutage?: string;
  readonly leaseSeconds?: number;
  readonly stateDirectory?: string;
  /** Whether it reports the rates of counters. */
  readonly rates?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

/** A member of a cluster in a process of its own. */
export class MemberChild {
  readonly name: string;
  readonly child: ChildProcess;
  owned = 0;
  /** Slots without a poll, by the metrics of the member. */
  missed = 0;
  polls = 0;
  wallMs = 0;
  /** The attributes of the object `SNMPv2-MIB::system` that it uses. */
  attributes: readonly string[] = [];
  readonly #listeners = new Set<(report: MemberReport) => void>();

  constructor(
    t: { after(run: () => unknown): void },
    {
      name,
      definitions,
      etcd,
      onOutage = 'stop',
      leaseSeconds = 6,
      stateDirectory = temporaryFolder(t),
      rates = false,
      env: more = {},
    }: MemberChildOptions,
  ) {
    this.name = name;
    const script = modulePath(new URL('./member-process.ts', import.meta.url));
    const options: MemberProcessOptions = {
      definitions,
      stateDirectory,
      rates,
      cluster: {
        name,
        etcd: { endpoints: [etcd] },
        lease_seconds: leaseSeconds,
        moves_per_second: 1024,
        on_outage: onOutage,
      },
    };
    this.child = fork(script, [JSON.stringify(options)], {
      execArgv: [...nodeOptions],
      env: { ...env, ...more },
    });
    this.child.on('message', (report: MemberReport) => {
      this.owned = report.owned ?? this.owned;
      this.missed = report.missed ?? this.missed;
      this.polls = report.polls ?? this.polls;
      this.wallMs = report.wallMs ?? this.wallMs;
      this.attributes = report.attributes ?? this.attributes;
      for (const listener of this.#listeners) listener(report);
    });
    t.after(() => this.child.kill('SIGKILL'));
  }

  /** Applies the files of this member to the whole cluster. */
  apply(): void {
    this.child.send('apply');
  }

  onReport(listener: (report: MemberReport) => void): void {
    this.#listeners.add(listener);
  }

  /** Calls `listener` when the member has heard of a change of a shared value of the definitions. */
  onKey(listener: (key: string) => void): void {
    this.onReport(({ key }) => {
      if (key !== undefined) listener(key);
    });
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const exited = once(this.child, 'exit');
    this.child.kill(signal);
    await exited;
    this.owned = 0;
  }
}
