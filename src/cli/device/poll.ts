import { stdout } from 'node:process';
import colours from 'picocolors';
import { showRow } from '../../../plugins/snmp-poller/routes/shown-row.ts';
import type { PollReport } from '../../../plugins/snmp-poller/service.ts';
import type { Batch, DeviceRef } from '../../index.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { StatusLine } from '../terminal/status-line.ts';
import { deviceCommandFailure } from './failure.ts';
import { formatRecord } from './record-text.ts';
import { runDiscovery } from './run-discovery.ts';
import { type OpenDevice, withDevice } from './with-device.ts';

export interface PollOptions {
  readonly config: string;
  readonly object?: readonly string[];
  readonly json?: boolean;
}

/** `waywiser poll DEVICE`: everything a device is polled for, once; records go to standard output and nowhere else. */
export function poll(wanted: string, { config, object, json }: PollOptions): Promise<number> {
  const choice = { config, wanted, ...(object === undefined ? {} : { objects: object }) };
  return withDevice(choice, async (open) => {
    for (const id of object ?? []) open.definitions.current.getObject(id);
    const report = await pollOnce(open);
    const { device, poller } = open;
    const batches = poller.latest(device);
    if (batches.length === 0) {
      throw deviceCommandFailure('DEVICE_POLL_EMPTY', {
        device: device.ref.name,
        reasons: listGaps(report),
      });
    }
    console.log(json ? formatJson(device.ref, report, batches) : formatText(device.ref, report, batches));
    return exitCodes.done;
  });
}

/** A device that was never discovered is discovered first. */
export async function pollOnce({ device, discovery, poller }: OpenDevice): Promise<PollReport> {
  const isNew = discovery.findInventory(device) === undefined;
  if (isNew && device.settings.enabled !== false) await runDiscovery(device, discovery, new StatusLine());
  return (await poller.askNow(device)).ended;
}

function formatJson(device: DeviceRef, report: PollReport, batches: readonly Batch[]): string {
  const records = batches.map((batch) => ({
    record: batch.record,
    plan: batch.plan,
    time: new Date(batch.timeMs).toISOString(),
    rows: Array.from({ length: batch.rows.count }, (_, row) => showRow(batch, row)),
  }));
  const { durationMs, packets, values, gaps } = report;
  return JSON.stringify({ device, durationMs, packets, values, gaps, records }, undefined, 2);
}

function formatText(device: DeviceRef, report: PollReport, batches: readonly Batch[]): string {
  const width = stdout.isTTY ? stdout.columns : Number.POSITIVE_INFINITY;
  const { durationMs, packets, values } = report;
  const missing = Object.keys(report.gaps).length === 0 ? '' : `; missing: ${listGaps(report)}`;
  const summary = `${colours.bold(device.name)}: ${values} values in ${packets} packets and ${durationMs.toFixed(0)} ms${missing}`;
  return [...batches.map((batch) => formatRecord(batch, width)), summary].join('\n\n');
}

function listGaps({ gaps }: PollReport): string {
  const parts = Object.entries(gaps).map(([reason, count]) => `${count} ${reason}`);
  return parts.length === 0 ? 'nothing was asked for' : parts.join(', ');
}
