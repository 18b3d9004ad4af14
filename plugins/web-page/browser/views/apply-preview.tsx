import type { ApplyResult, DeviceRef, PollingCost } from '../../../../src/client/index.ts';
import { countOf } from '../parts/count-text.ts';
import { describeShift } from '../parts/number-text.ts';
import { Panel } from '../parts/panel.tsx';
import { DeviceText, Num } from '../parts/texts.tsx';
import { formatPlace } from '../state/route-text.ts';
import { ChangedFiles } from './changed-files.tsx';
import { ProblemList } from './problem-list.tsx';
import { countChanges } from './summarize-changes.ts';

const maxShown = 100;

/** What an apply would change, and what it would cost. */
export function ApplyPreview({ result }: { readonly result: ApplyResult }) {
  const { changes, changed, affectedDevices, rediscovering, differences = [], cost, warnings } = result;
  const total = countChanges(changes);
  return (
    <Panel
      title={changed ? 'Preview: what an apply would change' : 'Preview: the files are the same as what runs'}
      aside={changed && <span class="quiet">Nothing has changed yet.</span>}
      isWide
    >
      {changed && (
        <div class="preview">
          <div>
            <h3>{countOf(total, 'definition')} would change</h3>
            {total === 0 && <p class="quiet">Only defaults or descriptions change.</p>}
            <ChangedFiles differences={differences} />
            {total > differences.length && (
              <p class="quiet">and {countOf(total - differences.length, 'more definition')}</p>
            )}
          </div>
          <div>
            {cost !== undefined && <Cost before={cost.before} after={cost.after} />}
            <h3>{countOf(affectedDevices.length, 'device')} affected</h3>
            {affectedDevices.length === 0 && <p class="quiet">No device is polled in another way.</p>}
            <DeviceLinks devices={affectedDevices} />
            {rediscovering.length > 0 && (
              <>
                <h3>{countOf(rediscovering.length, 'device')} would be rediscovered</h3>
                <DeviceLinks devices={rediscovering} />
              </>
            )}
          </div>
        </div>
      )}
      {warnings.length > 0 && (
        <>
          <h3>{countOf(warnings.length, 'warning')}</h3>
          <ProblemList problems={warnings} />
        </>
      )}
    </Panel>
  );
}

function DeviceLinks({ devices }: { readonly devices: readonly DeviceRef[] }) {
  return (
    <p class="labels">
      {devices.slice(0, maxShown).map(({ name, ip, port }) => (
        <a key={`${ip} ${port}`} class="tag" href={formatPlace(['device', name])}>
          <DeviceText text={name} max={40} />
        </a>
      ))}
      {devices.length > maxShown && <span class="quiet">and {devices.length - maxShown} more</span>}
    </p>
  );
}

const costs: readonly (readonly [keyof PollingCost, string])[] = [
  ['packetsPerSecond', 'Packets per second'],
  ['valuesPerSecond', 'Values per second'],
  ['series', 'Series'],
  ['objects', 'Objects, over all devices'],
  ['devices', 'Devices'],
];

function Cost({ before, after }: { readonly before: PollingCost; readonly after: PollingCost }) {
  return (
    <table class="plain cost">
      <thead>
        <tr>
          <th>Estimated load</th>
          <th class="right">before</th>
          <th class="right">after</th>
          <th class="right">change</th>
        </tr>
      </thead>
      <tbody>
        {costs.map(([key, title]) => {
          const shift = describeShift(before[key], after[key]);
          return (
            <tr key={key}>
              <td>{title}</td>
              <td class="right">
                <Num value={before[key]} />
              </td>
              <td class="right">
                <Num value={after[key]} />
              </td>
              <td class={after[key] > before[key] && shift !== '' ? 'right more' : 'right'}>
                {shift === '' ? <span class="quiet">none</span> : shift}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
