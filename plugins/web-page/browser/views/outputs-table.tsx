import type { OutputCounters } from '../../../../src/client/index.ts';
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
            <td>{name}</td>
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
            <td
              class={counters.dropped > 0 ? 'right bad-text' : 'right'}
              title={describeDrops(counters.droppedBy)}
            >
              <Num value={counters.dropped} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function describeDrops(droppedBy: Readonly<Record<string, number>>): string | undefined {
  const reasons = Object.entries(droppedBy).map(([reason, count]) => `${reason}: ${count}`);
  return reasons.length === 0 ? undefined : reasons.join('; ');
}
