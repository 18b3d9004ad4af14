/** The instrumentation that measured. */
export interface Scope {
  readonly name: string;
  readonly version: string;
}

/** `AggregationTemporality`. */
export const temporalityCodes = { delta: 1, cumulative: 2 } as const;
