/** How numbers are kept: as polled, and by spans of five minutes and one hour. */
export const tierNames = ['polled', 'five_minutes', 'hours'] as const;
export type TierName = (typeof tierNames)[number];

export const minuteSpanMs = 300_000;
export const hourSpanMs = 3_600_000;

/** 0 for values as polled. */
export const tierSpansMs: Readonly<Record<TierName, number>> = {
  polled: 0,
  five_minutes: minuteSpanMs,
  hours: hourSpanMs,
};
