import type { ApplyResult, DeviceRef, PollingCost } from '../../../../src/client/index.ts';
import { Panel } from '../parts/panel.tsx';
import { formatPlace } from '../parts/route-text.ts';
import { DeviceText, Num } from '../parts/texts.tsx';
import { ProblemList } from './problem-list.tsx';
import { listChanges } from './summarize-changes.ts';

const maxShown = 300;

/** What an apply would change, and what it would cost. */
export function ApplyPreview({ result }: { readonly result: ApplyResult }) {
  const { changes, changed, affectedDevices, rediscovering, cost, warnings } = result;
  const things = listChanges(changes);
  return (
    <Panel
      title={changed ? 'Preview: what an apply would change' : 'Preview: the files are the same as what runs'}
      isWide
    >
      {changed && (
        <div class="columns">
          <div>
            <h3>{things.length} definitions</h3>
            {things.length === 0 && <p class="quiet">Only defaults or descriptions change.</p>}
            <ul class="lines">
              {things.slice(0, maxShown).map(({ kind, how, id }) => (
                <li key={`${kind} ${how} ${id}`}>
                  <span class={`how ${how}`}>{how}</span>
                  <span class="mono">
                    <DeviceText text={id} />
                  </span>
                  <span class="quiet">{kind}</span>
                </li>
              ))}
            </ul>
          </div>
          <div>
            <h3>{affectedDevices.length} devices affected</h3>
            <DeviceLinks devices={affectedDevices} />
            {rediscovering.length > 0 && (
              <>
                <h3>{rediscovering.length} would be rediscovered</h3>
                <DeviceLinks devices={rediscovering} />
              </>
            )}
          </div>
          {cost !== undefined && <Cost before={cost.before} after={cost.after} />}
        </div>
      )}
      {warnings.length > 0 && (
        <>
          <h3>Warnings</h3>
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
  ['objects', 'Objects of devices'],
  ['devices', 'Devices'],
];

function Cost({ before, after }: { readonly before: PollingCost; readonly after: PollingCost }) {
  return (
    <table class="plain">
      <thead>
        <tr>
          <th>Cost</th>
          <th class="right">now</th>
          <th class="right">after</th>
        </tr>
      </thead>
      <tbody>
        {costs.map(([key, title]) => (
          <tr key={key}>
            <td>{title}</td>
            <td class="right">
              <Num value={before[key]} />
            </td>
            <td class={after[key] > before[key] ? 'right more' : 'right'}>
              <Num value={after[key]} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
