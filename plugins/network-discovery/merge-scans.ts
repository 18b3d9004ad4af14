import type { BegunScan, EndedScan, ScansAnswer, ShownScan } from './scan-schemas.ts';

/** The answers of those that began a scan with the same id or joined another one, as one. Members that joined count only when nobody began. */
export function joinBegun(answers: readonly BegunScan[]): Pick<BegunScan, 'joined' | 'scan'> {
  const begun = answers.filter(({ joined }) => !joined);
  const parts = begun.length > 0 ? begun : answers;
  return { joined: begun.length === 0, scan: addScans(parts.map(({ scan }) => scan)) };
}

/** Of several members: the scan with most addresses that runs, the scan that began last and has ended on all of them, and the next one of all. */
export function mergeScans(answers: readonly ScansAnswer[]): ScansAnswer {
  const running = groupById(answers.flatMap((answer) => answer.running ?? []));
  const [shown] = Array.from(running.values(), addScans).sort((a, b) => b.addresses - a.addresses);
  const ended = [...groupById(answers.flatMap((answer) => answer.last ?? [])).values()];
  const [last] = ended
    .filter(([{ id }]) => !running.has(id))
    .map(addEnded)
    .sort((a, b) => (a.beganAt < b.beganAt ? 1 : -1));
  const [nextAt] = answers.flatMap((answer) => answer.nextAt ?? []).sort();
  return {
    // All members have the same definitions.
    networks: answers[0]?.networks ?? [],
    ...(shown === undefined ? {} : { running: shown }),
    ...(last === undefined ? {} : { last }),
    ...(nextAt === undefined ? {} : { nextAt }),
  };
}

type Parts<Scan> = readonly [Scan, ...Scan[]];

/** The parts of each scan: members that scan on the same request use the same id. */
function groupById<Scan extends ShownScan>(scans: readonly Scan[]): Map<string, Parts<Scan>> {
  const groups = new Map<string, Parts<Scan>>();
  for (const scan of scans) {
    const known = groups.get(scan.id);
    groups.set(scan.id, known === undefined ? [scan] : [...known, scan]);
  }
  return groups;
}

function addScans(parts: readonly ShownScan[]): ShownScan {
  const [first, ...others] = parts;
  const sum = { ...first! };
  for (const { id: _, cause: __, networks, ...counts } of others) {
    sum.networks = [...new Set([...sum.networks, ...networks])];
    for (const [name, count] of Object.entries(counts) as [keyof typeof counts, number][]) sum[name] += count;
  }
  return sum;
}

function addEnded(parts: Parts<EndedScan>): EndedScan {
  const beganMs = Math.min(...parts.map(({ beganAt }) => Date.parse(beganAt)));
  const endedMs = Math.max(...parts.map(({ beganAt, durationMs }) => Date.parse(beganAt) + durationMs));
  const problem = parts.find((part) => part.problem !== undefined)?.problem;
  const counts = parts.map(({ beganAt: _, durationMs: __, problem: ___, ...scan }) => scan);
  return {
    ...addScans(counts),
    beganAt: new Date(beganMs).toISOString(),
    durationMs: endedMs - beganMs,
    ...(problem === undefined ? {} : { problem }),
  };
}
