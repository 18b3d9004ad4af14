import { Sparkline } from '../parts/sparkline.tsx';
import { pollLines } from '../state/poll-lines.ts';

/** How long the polls of a device took in the last hour; gaps where it did not answer. */
export function PollSparkline({ device }: { readonly device: string }) {
  const line = pollLines.value.get(device);
  return line === undefined ? null : (
    <Sparkline values={line.values} label="How long polls took in the last hour" />
  );
}
