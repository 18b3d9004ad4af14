import type { Column, OutputContext, OutputWriter } from '../../../../src/index.ts';
import { type EncodedPart, GroupSender, type GroupSenderSettings } from '../../http/service.ts';
import { type LivedEntry, SeriesLives } from './series-lives.ts';
import type { LivedBatch } from './vanished-values.ts';

export interface LivedWriterSettings<B extends LivedBatch, E extends EncodedPart>
  extends Omit<GroupSenderSettings<B, E>, 'prepare'> {
  /** Of which columns the values are labels, so that another value is another series. */
  isLabel(column: Column): boolean;
  /** Called once for each batch that is to be sent, in their order. */
  follow(batch: LivedBatch): B;
  /** Called once, when nothing is sent any more. */
  close(): void;
}

/** What it hears of devices and of its queue by. */
export type LivedWriterPlace = Pick<OutputContext, 'events' | 'queuedBatches'>;

/** Sends groups, and with them, or when there are none, the ends of series: of what polls miss, and of devices that go down or away. */
export function createLivedWriter<B extends LivedBatch, E extends EncodedPart>(
  { isLabel, follow, close, ...sending }: LivedWriterSettings<B, E>,
  { events, queuedBatches }: LivedWriterPlace,
): OutputWriter {
  const lives = new SeriesLives(isLabel);
  events.on('device.removed', ({ device }) => lives.end(device, Date.now()));
  events.on('device.state', ({ device, to }) => {
    if (to === 'down') lives.end(device, Date.now());
  });
  const followAll = (entries: readonly LivedEntry[]) =>
    entries.map(({ batch, origin }) => ({ batch: follow(batch), origin }));
  const groups = new GroupSender({ ...sending, prepare: (group) => followAll(lives.follow(group)) });
  const ends = new GroupSender({ ...sending, prepare: () => followAll(lives.takeEnds()) });
  const stopEnds = lives.sendWhenIdle({
    queuedBatches,
    write: ends.write,
  });
  return {
    write: groups.write,
    async close() {
      await stopEnds();
      close();
    },
  };
}
