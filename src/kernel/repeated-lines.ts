/** A line of the log before it is written, as the methods of pino receive it. */
interface Line {
  /** The plugin, or whatever else names where the line comes from. */
  readonly origin: unknown;
  readonly args: readonly unknown[];
  write(args: readonly unknown[]): void;
}

interface Repeats {
  count: number;
  /** Of the latest line that was held back. */
  latest: Line | undefined;
  readonly timer: NodeJS.Timeout;
}

const windowMs = 60_000;
/** Lines beyond these are all written: the memory stays small, and nothing is hidden. */
const maxWatched = 10_000;

/**
 * Writes a line about a device once, and counts the same line for a minute instead of writing it: the count comes as one
 * more line. The same line has the same origin, device, message and error code.
 */
export class RepeatedLines {
  readonly #watched = new Map<string, Repeats>();

  /** Writes the line, or counts it. */
  accept(line: Line): void {
    const key = keyOf(line);
    const repeats = key === undefined ? undefined : this.#watched.get(key);
    if (repeats !== undefined) {
      repeats.count++;
      repeats.latest = line;
      return;
    }
    if (key !== undefined && this.#watched.size < maxWatched) this.#watch(key);
    line.write(line.args);
  }

  /** Writes what was counted so far, and forgets it. */
  flush(): void {
    for (const { count, latest, timer } of this.#watched.values()) {
      clearTimeout(timer);
      writeCount(count, latest);
    }
    this.#watched.clear();
  }

  #watch(key: string): void {
    const timer = setTimeout(() => {
      const { count, latest } = this.#watched.get(key)!;
      this.#watched.delete(key);
      if (count === 0) return;
      this.#watch(key);
      writeCount(count, latest);
    }, windowMs);
    timer.unref();
    this.#watched.set(key, { count: 0, latest: undefined, timer });
  }
}

/** Undefined for a line that is not about a device. */
function keyOf({ origin, args: [details, message] }: Line): string | undefined {
  if (typeof details !== 'object' || details === null) return undefined;
  const { device, error } = details as { readonly device?: unknown; readonly error?: unknown };
  if (typeof device !== 'string') return undefined;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return JSON.stringify([origin, device, message, code]);
}

function writeCount(count: number, latest: Line | undefined): void {
  if (latest === undefined) return;
  const [details, message, ...rest] = latest.args;
  const counted = `${message ?? ''} (${count} more in the last ${windowMs / 1000} s)`.trimStart();
  latest.write([{ ...(details as object), repeated: count }, counted, ...rest]);
}
