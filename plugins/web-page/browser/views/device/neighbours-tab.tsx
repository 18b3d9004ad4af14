import type { RecordRow } from '../../../../../src/client/index.ts';
import { Panel } from '../../parts/panel.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { DeviceText } from '../../parts/texts.tsx';
import { formatPlace } from '../../state/route-text.ts';
import { type DeviceTabProps, rowsOf, textOf } from './device-rows.ts';
import { localPort } from './local-port.ts';

const lldp = 'LLDP-MIB::lldpRemEntry';
const bgp = 'BGP4-MIB::bgpPeerEntry';
const ospf = 'OSPF-MIB::ospfNbrEntry';
export const neighbourRecords: readonly string[] = [lldp, bgp, ospf];

/** What is connected to the device, as far as the device says so. */
export function NeighboursTab({ tables }: DeviceTabProps) {
  return (
    <div class="grid">
      <Neighbours
        title="LLDP"
        rows={rowsOf(tables, lldp)}
        columns={['Local port', 'Neighbour', 'Its port', 'It can']}
        show={(row) => [
          text(localPort(tables, row)),
          <NameLink
            key="name"
            name={textOf(row, 'lldp.remote.name') || textOf(row, 'lldp.remote.chassis.id')}
          />,
          text(textOf(row, 'lldp.remote.port.descr') || textOf(row, 'lldp.remote.port.id')),
          text(textOf(row, 'lldp.remote.capabilities.enabled')),
        ]}
      />
      <Neighbours
        title="BGP"
        rows={rowsOf(tables, bgp)}
        columns={['Peer', 'AS', 'State']}
        show={(row) => [
          text(textOf(row, 'bgp.peer.ip.addr')),
          text(textOf(row, 'bgp.peer.as')),
          <StateBadge key="state" state={textOf(row, 'bgp.peer.status.oper.name')} />,
        ]}
      />
      <Neighbours
        title="OSPF"
        rows={rowsOf(tables, ospf)}
        columns={['Neighbour', 'Router', 'State']}
        show={(row) => [
          text(textOf(row, 'ospf.neighbor.ip.addr')),
          text(textOf(row, 'ospf.neighbor.id')),
          text(textOf(row, 'ospf.neighbor.status.name')),
        ]}
      />
    </div>
  );
}

function Neighbours({
  title,
  rows,
  columns,
  show,
}: {
  readonly title: string;
  readonly rows: readonly RecordRow[];
  readonly columns: readonly string[];
  readonly show: (row: RecordRow) => readonly preact.ComponentChildren[];
}) {
  if (rows.length === 0) return null;
  return (
    <Panel title={title} aside={<span class="quiet">{rows.length}</span>}>
      <table class="plain">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column}>{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>
              {show(row).map((cell, i) => (
                <td key={columns[i]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

/** A neighbour may be a device of this collector, under its whole name or the first part of it. */
function NameLink({ name }: { readonly name: string }) {
  return (
    <a href={formatPlace(['devices'], { text: name.split('.')[0] })} title="Look for it among the devices">
      <DeviceText text={name} max={60} />
    </a>
  );
}

function text(value: string) {
  return <DeviceText text={value} max={60} />;
}
