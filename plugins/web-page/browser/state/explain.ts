import { signal } from '@preact/signals';

/** A value that somebody wants explained. */
export interface WantedExplanation {
  readonly device: string;
  readonly record: string;
  readonly field: string;
  readonly key: string;
  /** The value as it stands on the page; empty when it is missing. */
  readonly shown: string;
  readonly labels: Readonly<Record<string, string>>;
}

export const wantedExplanation = signal<WantedExplanation | undefined>(undefined);
