import type { Batch, Column } from '../../model/batch.ts';
import type { OutputContext, OutputWriter } from '../../pipeline/output-writer.ts';
import { SensorSplitter } from '../naming/split-sensors.ts';
import { type EncodedPart, GroupSender, type GroupSenderSettings } from '../posting/group-sender.ts';
import type { TrackedBatch } from './ended-series.ts';
import { SeriesTracker, type TrackedEntry } from './series-tracker.ts';

export interface TrackedWriterSettings<B extends TrackedBatch, E extends EncodedPart>
  extends Omit<GroupSenderSettings<B, E>, 'prepare'> {
  /** Selects the columns whose values are labels, so that a changed value is another series. */
  isLabel(column: Column): boolean;
  /** Called once for each batch, in order, before its series are followed: an output can change what labels and columns it has. */
  adapt?(batch: Batch): Batch;
  /** Called once for each batch to send, in order: returns what `encode` needs to know. */
  follow(batch: TrackedBatch): B;
  /** Called once, after the last request. */
  close(): void;
}

/** The parts of the output's context that it uses: events of devices, and the number of waiting batches. */
export type TrackedWriterContext = Pick<OutputContext, 'events' | 'queuedBatches'>;

/**
 * A `GroupSender` that also sends the ends of series: of values that are missing from a poll, and of devices that go down or are removed.
 * While the queue is empty it sends them alone. Return it from `open` of the output.
 */
export function createTrackedWriter<B extends TrackedBatch, E extends EncodedPart>(
  { isLabel, adapt = (batch) => batch, follow, close, ...sending }: TrackedWriterSettings<B, E>,
  { events, queuedBatches }: TrackedWriterContext,
): OutputWriter {
  const sensors = new SensorSplitter();
  const tracker = new SeriesTracker(isLabel);
  events.on('device.removed', ({ device }) => tracker.end(device, Date.now()));
  events.on('device.state', ({ device, to }) => {
    if (to === 'down') tracker.end(device, Date.now(), 'down');
  });
  const followAll = (entries: readonly TrackedEntry[]) =>
    entries.map(({ batch, origin }) => ({ batch: follow(batch), origin }));
  const groups = new GroupSender({
    ...sending,
    prepare: (group) => followAll(tracker.track(group.map((batch) => adapt(sensors.split(batch))))),
  });
  const ends = new GroupSender({ ...sending, prepare: () => followAll(tracker.takeEnds()) });
  const stopSendingEnds = sendEndsWhenIdle(tracker, { queuedBatches, write: ends.write });
  return {
    write: groups.write,
    async close() {
      await stopSendingEnds();
      close();
    },
  };
}

const checkEveryMs = 1_000;

/**
 * Ends series while nothing is polled: after the last batch of a removed device there may be no other batch to send the ends with.
 * `write` is called with no batches; it sends the ends, or what it could not send before. Returns a function that stops it.
 */
function sendEndsWhenIdle(
  tracker: SeriesTracker,
  { queuedBatches, write }: { readonly queuedBatches: () => number; readonly write: OutputWriter['write'] },
): () => Promise<void> {
  const stopping = new AbortController();
  let hasFailed = false;
  let sending: Promise<void> | undefined;
  const send = async () => {
    try {
      await write([], { signal: stopping.signal });
      hasFailed = false;
    } catch (error) {
      // A refused request would be refused again. After any other failure the next check tries again.
      hasFailed = !(error instanceof Error && error.name === 'PermanentError');
    }
    sending = undefined;
  };
  const timer = setInterval(() => {
    const isDue = hasFailed || (tracker.hasEnds && queuedBatches() === 0);
    if (isDue) sending ??= send();
  }, checkEveryMs).unref();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await sending;
  };
}
