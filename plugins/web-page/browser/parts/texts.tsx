import { now } from '../state/now.ts';
import { explainGap, shortGap } from './gap-words.ts';
import { formatNumber } from './number-text.ts';
import { makeSafe } from './safe-text.ts';
import { formatAgo, formatClock, formatUtc } from './time-text.ts';

/** Text of a device: isolated from what stands around it, cut when it is too long, whole in the hover. */
export function DeviceText({ text, max = 120 }: { readonly text: string; readonly max?: number }) {
  const shown = makeSafe(text, max);
  return (
    <bdi class="device-text" title={shown === text ? undefined : makeSafe(text, 2000)}>
      {shown}
    </bdi>
  );
}

/** A moment as `3 min ago`, with the time in UTC in the hover. */
export function Ago({ at }: { readonly at: string | number }) {
  const ms = typeof at === 'number' ? at : Date.parse(at);
  return (
    <time dateTime={Number.isNaN(ms) ? '' : new Date(ms).toISOString()} title={formatUtc(ms)}>
      {formatAgo(ms, now.value)}
    </time>
  );
}

/** A moment in the viewer's zone, with the time in UTC in the hover. */
export function Clock({ at }: { readonly at: string | number }) {
  const ms = typeof at === 'number' ? at : Date.parse(at);
  return (
    <time dateTime={Number.isNaN(ms) ? '' : new Date(ms).toISOString()} title={formatUtc(ms)}>
      {formatClock(ms, Date.now())}
    </time>
  );
}

export function Num({ value, unit }: { readonly value: number; readonly unit?: string | undefined }) {
  const text = formatNumber(value, unit);
  return (
    <span class={value === 0 ? 'num zero' : 'num'} title={`${value}${unit === undefined ? '' : ` ${unit}`}`}>
      {text.number}
      {text.unit !== '' && (
        <span class="unit">{text.unit.startsWith('/') ? text.unit : ` ${text.unit}`}</span>
      )}
    </span>
  );
}

/** A missing value, with its reason. */
export function Missing({ reason }: { readonly reason: string }) {
  return (
    <span class="missing" title={explainGap(reason)}>
      {shortGap(reason)}
    </span>
  );
}
