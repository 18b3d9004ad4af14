import { EVENT_ID, type Event, getScalarValue } from 'js-yaml';

/** Where each key of the map at the top stands, in one cheap pass. */
export function topKeyOffsets(events: readonly Event[], text: string): Map<string, number> {
  const offsets = new Map<string, number>();
  let depth = 0;
  let isKey = true;
  for (const event of events) {
    if (event.type === EVENT_ID.POP) depth--;
    if (depth === 2) {
      if (isKey && event.type === EVENT_ID.SCALAR) offsets.set(getScalarValue(text, event), event.valueStart);
      const endsNode =
        event.type === EVENT_ID.SCALAR || event.type === EVENT_ID.ALIAS || event.type === EVENT_ID.POP;
      if (endsNode) isKey = !isKey;
    }
    if (
      event.type === EVENT_ID.DOCUMENT ||
      event.type === EVENT_ID.SEQUENCE ||
      event.type === EVENT_ID.MAPPING
    ) {
      depth++;
    }
  }
  return offsets;
}
