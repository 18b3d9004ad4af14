import type { MemberChild } from './member-child.ts';

/** Of the lease that a member trusts after it has sent a renewal. */
const trustedShare = 0.9;

interface Span {
  fromMs: number;
  toMs: number;
}

export interface OwnedSpan extends Span {
  readonly run: MemberRun;
}

/** One life of a process: when it owned which shard, by its own reports. Times are those of `performance.now()` of the test. */
export class MemberRun {
  readonly member: MemberChild;
  /** From here on the process may have ended without a report. */
  endingMs = Number.POSITIVE_INFINITY;
  readonly #trustedMs: number;
  readonly #spans = new Map<number, Span[]>();
  /** When the renewals were sent that etcd acknowledged. */
  readonly #renewals: number[] = [];
  /** When the last two counts of missed slots were sent: what was missed before the first of them is counted in the second. */
  #counted: readonly [before: number, last: number] = [0, 0];

  constructor(member: MemberChild, leaseMs: number) {
    this.member = member;
    this.#trustedMs = leaseMs * trustedShare;
    const offsetMs = performance.now() - Number(process.hrtime.bigint()) / 1e6;
    member.onReport(({ atMs, renewedMs, gained = [], lost = [], missed }) => {
      const nowMs = atMs! + offsetMs;
      if (missed !== undefined) this.#counted = [this.#counted[1], nowMs];
      if (renewedMs !== undefined) this.#addRenewal(renewedMs + offsetMs);
      for (const shard of gained)
        this.#spansOf(shard).push({ fromMs: nowMs, toMs: Number.POSITIVE_INFINITY });
      for (const shard of lost) this.#end(shard, nowMs);
    });
  }

  /** Called before the process gets a signal to end. One that was suspended until now has missed slots that it cannot count any more. */
  expectEnd(): void {
    this.endingMs = this.#counted[0];
  }

  /** The process has ended. */
  end(): void {
    const nowMs = performance.now();
    for (const shard of this.#spans.keys()) this.#end(shard, nowMs);
  }

  /** When it owned the shard and trusted its lease. */
  ownedSpans(shard: number): OwnedSpan[] {
    const owned: OwnedSpan[] = [];
    for (const { fromMs, toMs } of this.#spans.get(shard) ?? []) {
      let last: OwnedSpan | undefined;
      for (const renewedMs of this.#renewals) {
        const span = {
          fromMs: Math.max(fromMs, renewedMs),
          toMs: Math.min(toMs, renewedMs + this.#trustedMs),
          run: this,
        };
        if (span.fromMs >= span.toMs) continue;
        if (last !== undefined && span.fromMs <= last.toMs) last.toMs = span.toMs;
        else {
          owned.push(span);
          last = span;
        }
      }
    }
    return owned;
  }

  #addRenewal(atMs: number): void {
    if (atMs - (this.#renewals.at(-1) ?? Number.NEGATIVE_INFINITY) > 1) this.#renewals.push(atMs);
  }

  #spansOf(shard: number): Span[] {
    const spans = this.#spans.get(shard) ?? [];
    this.#spans.set(shard, spans);
    return spans;
  }

  #end(shard: number, nowMs: number): void {
    const span = this.#spans.get(shard)?.at(-1);
    if (span !== undefined) span.toMs = Math.min(span.toMs, nowMs);
  }
}

/** Pairs of spans in which two processes owned the same shard. */
export function findOverlaps(runs: readonly MemberRun[], shard: number): string[] {
  const spans = runs.flatMap((run) => run.ownedSpans(shard)).sort((a, b) => a.fromMs - b.fromMs);
  return spans.flatMap((span, i) => {
    const before = spans[i - 1];
    if (before === undefined || before.run === span.run || before.toMs <= span.fromMs) return [];
    const names = [before, span].map(({ run }) => run.member.name);
    return `shard ${shard}: ${names.join(' and ')} for ${Math.round(before.toMs - span.fromMs)} ms`;
  });
}
