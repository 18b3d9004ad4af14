import { toneOf } from '../state/state-tones.ts';

/** A state as a word with a coloured dot: never the colour alone. */
export function StateBadge({ state, why }: { readonly state: string; readonly why?: string | undefined }) {
  return (
    <span class={`badge ${toneOf(state)}`} title={why}>
      <span class="dot" aria-hidden="true" />
      {state}
    </span>
  );
}
