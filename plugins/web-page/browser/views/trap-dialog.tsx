import type { Trap } from '../../../../src/client/index.ts';
import { CloseButton, Dialog } from '../parts/dialog.tsx';
import { Facts } from '../parts/panel.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { Ago, Clock, DeviceText } from '../parts/texts.tsx';
import { formatPlace } from '../state/route-text.ts';

/** Where a device in a list of facts leads to. */
const identities: Readonly<Record<string, string>> = {
  engine: 'the SNMPv3 engine of the sender',
  relay: 'the address that a relay added',
  address: 'the address of the sender',
  interface: 'an interface address of the device',
  none: 'nothing: no registered device',
};

/** Everything about one notification, and what it led to. */
export function TrapDialog({ trap, onClose }: { readonly trap: Trap; readonly onClose: () => void }) {
  const { device, polls } = trap;
  const facts: (readonly [string, preact.ComponentChildren])[] = [
    [
      'Received',
      <>
        <Clock at={trap.time} />, <Ago at={trap.time} />
      </>,
    ],
    [
      'Device',
      device.port === 0 ? (
        <DeviceText text={device.name || trap.source} />
      ) : (
        <a href={formatPlace(['device', device.name])} onClick={onClose}>
          <DeviceText text={device.name} />
        </a>
      ),
    ],
    ['Recognized by', identities[trap.identity] ?? trap.identity],
    ['Severity', <StateBadge state={trap.severity} />],
    ['Category', trap.category],
    ['OID', <span class="mono">{trap.oid}</span>],
    ['From', <span class="mono">{trap.source}</span>],
    [
      'Sent as',
      `SNMPv${trap.version} ${trap.kind}, ${trap.level}${trap.user === undefined ? '' : `, user ${trap.user}`}`,
    ],
    ...(trap.clears === undefined ? [] : [['Ended', <Other key="clears" id={trap.clears} />] as const]),
    ...(trap.clearedBy === undefined
      ? []
      : [['Ended by', <Other key="clearedBy" id={trap.clearedBy} />] as const]),
    [
      'Polled because of it',
      polls.length === 0
        ? 'nothing'
        : polls.map(({ time, outcome, objects }) => (
            <div key={`${time} ${outcome}`}>
              <Clock at={time} /> <span class="mono">{objects.join(', ')}</span>{' '}
              <span class="quiet">{outcome}</span>
            </div>
          )),
    ],
  ];
  return (
    <Dialog title={trap.name} className="wide" onClose={onClose}>
      <header>
        <h2 class="mono">
          <DeviceText text={trap.name} max={100} />
        </h2>
        <CloseButton onClose={onClose} />
      </header>
      {trap.message !== undefined && (
        <p class="verdict">
          <DeviceText text={trap.message} max={600} />
        </p>
      )}
      <Facts facts={facts} />
    </Dialog>
  );
}

/** A link to another notification. */
function Other({ id }: { readonly id: string }) {
  return (
    <a class="mono" href={formatPlace(['traps'], { tab: 'all', trap: id })}>
      {id}
    </a>
  );
}
