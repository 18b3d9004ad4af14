import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { constants, createGzip } from 'node:zlib';
import { renderExposition } from '../exposition/exposition.ts';
import type { DeviceValues, LatestValues } from '../latest/latest-values.ts';
import { wantsGzip, wantsOpenMetrics } from './negotiation.ts';

export interface ScrapeRequest {
  readonly devices: readonly string[];
  readonly objects: readonly string[];
  readonly accept: string | undefined;
  readonly acceptEncoding: string | undefined;
}

export interface ScrapeAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable;
}

export interface ScrapeSettings {
  readonly timestamps: boolean;
  readonly created: boolean;
}

const openMetricsType = 'application/openmetrics-text; version=1.0.0; charset=utf-8';
const classicType = 'text/plain; version=0.0.4; charset=utf-8';

/** The latest values as text, made while it is read. */
export function answerScrape(
  latest: LatestValues,
  { devices, objects, accept, acceptEncoding }: ScrapeRequest,
  settings: ScrapeSettings,
  nowMs: number,
): ScrapeAnswer {
  const openMetrics = wantsOpenMetrics(accept);
  const wanted = [...selectViews(latest.fresh(nowMs), new Set(devices), new Set(objects))];
  const chunks = renderExposition(wanted, { ...settings, openMetrics });
  const text = Readable.from(giveWay(chunks), { objectMode: false });
  const headers = {
    'content-type': openMetrics ? openMetricsType : classicType,
    'cache-control': 'no-store',
    vary: 'accept, accept-encoding',
  };
  if (!wantsGzip(acceptEncoding)) return { headers, body: text };
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  text.on('error', (error) => gzip.destroy(error));
  gzip.on('close', () => text.destroy());
  return { headers: { ...headers, 'content-encoding': 'gzip' }, body: text.pipe(gzip) };
}

/** A reader as fast as this process would otherwise hold up polling until the last chunk. */
async function* giveWay(chunks: Iterable<Buffer>): AsyncGenerator<Buffer> {
  for (const chunk of chunks) {
    yield chunk;
    await nextTurn();
  }
}

/** Devices by name or address, objects by the id of their record; empty means all. */
function* selectViews(
  devices: Iterable<DeviceValues>,
  wantedDevices: ReadonlySet<string>,
  wantedObjects: ReadonlySet<string>,
): Generator<DeviceValues> {
  for (const device of devices) {
    const views = [...device.views].filter(([, { batch }]) => {
      const { name, ip } = batch.device;
      const isDevice = wantedDevices.size === 0 || wantedDevices.has(name) || wantedDevices.has(ip);
      return isDevice && (wantedObjects.size === 0 || wantedObjects.has(batch.record));
    });
    if (views.length > 0) yield { ...device, views: new Map(views) };
  }
}
