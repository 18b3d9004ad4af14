import { now } from '../state/now.ts';
import { formatFor, formatUtc } from './time-text.ts';

/** How long a state has lasted: "up · it answered 44 min ago" would read as the last answer. */
export function For({ since }: { readonly since: string | number }) {
  const ms = typeof since === 'number' ? since : Date.parse(since);
  return (
    <time dateTime={Number.isNaN(ms) ? '' : new Date(ms).toISOString()} title={`since ${formatUtc(ms)}`}>
      {formatFor(ms, now.value)}
    </time>
  );
}
