import { showNumber } from '../../parts/number-text.ts';

const units: Readonly<Record<string, string>> = { poll_interval: 's', timeout: 'ms' };

/** A setting of a device as people read it: `5 s`, `auto, switch`, `site=lab`. */
export function describeSetting(name: string, value: unknown): string {
  if (typeof value === 'number' && units[name] !== undefined) return showNumber(value, units[name]);
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(describePart).join(', ');
  if (typeof value === 'object' && value !== null) {
    const unit = name === 'poll_intervals' ? 's' : undefined;
    const parts = Object.entries(value).map(([key, each]) =>
      unit !== undefined && typeof each === 'number'
        ? `${key} every ${showNumber(each, unit)}`
        : `${key}=${describePart(each)}`,
    );
    return parts.join(', ') || 'none';
  }
  return String(value);
}

function describePart(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
