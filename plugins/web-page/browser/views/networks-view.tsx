import type { NetworkScan } from '../../../../src/client/index.ts';
import { showNumber } from '../parts/number-text.ts';
import { Facts, Panel, Quiet, Trouble } from '../parts/panel.tsx';
import { Ago } from '../parts/texts.tsx';
import { api } from '../state/api.ts';
import { act } from '../state/notices.ts';
import { usePolled } from '../state/polled.ts';
import { session } from '../state/session.ts';

/** Scans of networks: what runs, and what the last one found. */
export function NetworksView() {
  const scans = usePolled(
    'scans',
    2_000,
    async (signal) => (await api.call('getNetworkScans', { signal })).body,
  );
  const { running, last, nextAt } = scans.value ?? {};
  const scan = () =>
    act(async () => {
      await api.call('scanNetworks', {});
      scans.reload();
      return 'A scan of all networks was requested.';
    });
  return (
    <div class="view">
      <div class="title-row">
        <h1>Networks</h1>
        {session.value?.canOperate === true && (
          <div class="actions">
            <button type="button" disabled={running !== undefined} onClick={() => void scan()}>
              {running === undefined ? 'Scan now' : 'Scanning …'}
            </button>
          </div>
        )}
      </div>
      <Trouble problem={scans.problem} />
      <div class="grid">
        {running !== undefined && (
          <Panel title="Running scan">
            <p>
              <progress max={running.addresses} value={running.visited} /> {running.visited} of{' '}
              {running.addresses} addresses
            </p>
            <ScanFacts scan={running} />
          </Panel>
        )}
        <Panel title="Last scan">
          {last === undefined && <Quiet>No scan has ended yet.</Quiet>}
          {last !== undefined && (
            <>
              <Trouble problem={last.problem?.message} />
              <ScanFacts scan={last} />
              <p class="quiet">
                Began <Ago at={last.beganAt} />, took {showNumber(last.durationMs, 'ms')}.
              </p>
            </>
          )}
          {nextAt !== undefined && (
            <p class="quiet">
              The next one begins <Ago at={nextAt} />.
            </p>
          )}
        </Panel>
      </div>
    </div>
  );
}

function ScanFacts({ scan }: { readonly scan: NetworkScan }) {
  return (
    <Facts
      facts={[
        ['Networks', scan.networks.join(', ')],
        ['Cause', scan.cause],
        ['New devices', `${scan.found}`],
        ['Answered', `${scan.answered}`],
        ['Refused the credentials', `${scan.refused}`],
        ['Known already', `${scan.known}`],
        ['Silent now', `${scan.silent}, of which ${scan.removed} were removed`],
      ]}
    />
  );
}
