import type { OutputCounters } from '../../../../src/client/index.ts';
import { countOf } from '../parts/count-text.ts';
import { Quiet } from '../parts/panel.tsx';
import { Num } from '../parts/texts.tsx';

/** What waits in front of each output, and what was lost. */
export function OutputsTable({ outputs }: { readonly outputs: Readonly<Record<string, OutputCounters>> }) {
  const names = Object.keys(outputs);
  if (names.length === 0) return <Quiet>No output is configured: values are read and not sent.</Quiet>;
  return (
    <table class="plain">
      <thead>
        <tr>
          <th>Output</th>
          <th class="right">waiting</th>
          <th class="right">oldest</th>
          <th class="right">delivered</th>
          <th class="right optional">retries</th>
          <th class="right">lost</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(outputs).map(([name, counters]) => (
          <tr key={name}>
            <td>
              {name}
              <Losses counters={counters} />
            </td>
            <td class="right">
              <Num value={counters.queued} />
            </td>
            <td class={counters.oldestSeconds > 60 ? 'right warn-text' : 'right'}>
              {counters.queued === 0 ? '–' : <Num value={counters.oldestSeconds} unit="s" />}
            </td>
            <td class="right">
              <Num value={counters.delivered} />
            </td>
            <td class="right optional">
              <Num value={counters.retries} />
            </td>
            <td class={counters.dropped > 0 ? 'right bad-text' : 'right'}>
              <Num value={counters.dropped} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Why batches were lost, and how many values the receiver did not take. */
function Losses({ counters: { droppedBy, refusedValues } }: { readonly counters: OutputCounters }) {
  const reasons = Object.entries(droppedBy).filter(([, count]) => count > 0);
  return (
    <>
      {reasons.map(([reason, count]) => (
        <small key={reason} class="bad-text">
          {countOf(count, 'batch', 'batches')} lost: {reason}
        </small>
      ))}
      {refusedValues > 0 && (
        <small class="warn-text">{countOf(refusedValues, 'value')} refused by the receiver</small>
      )}
    </>
  );
}
