import type { RecordRow } from '../../../../../src/client/index.ts';
import { countOf } from '../../parts/count-text.ts';
import { StateBar } from '../../parts/state-bar.tsx';
import { keyOf, stateLines } from '../../state/state-lines.ts';
import { stateOf } from './interface-words.ts';

/** The states of an interface over the time that the graphs show. */
export function InterfaceStates({ device, row }: { readonly device: string; readonly row: RecordRow }) {
  const line = stateLines.value.get(keyOf(device, row.key));
  if (line === undefined || line.spans.length === 0) return null;
  const label = countOf(line.spans.length - 1, 'change');
  const isDisabled = stateOf(row) === 'disabled';
  return (
    <div class={isDisabled ? 'faint' : undefined}>
      <StateBar spans={line.spans} gaps={line.gaps} range={line.range} label={label} height={12} />
    </div>
  );
}
