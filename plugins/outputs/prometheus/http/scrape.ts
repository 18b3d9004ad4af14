import type { Naming } from '../../../../src/output-kit/index.ts';
import { renderExposition } from '../exposition/exposition.ts';
import type { DeviceValues, LatestValues } from '../latest/latest-values.ts';

export interface ScrapeRequest {
  readonly devices: readonly string[];
  readonly objects: readonly string[];
  readonly accept: string | undefined;
  readonly acceptEncoding: string | undefined;
}

export interface ScrapeAnswer {
  readonly headers: Readonly<Record<string, string>>;
  /** The text, rendered while it is read. A chunk is valid until the next one is requested. */
  readonly chunks: Iterable<Buffer>;
  /** Whether the headers announce gzip. */
  readonly isCompressed: boolean;
}

export interface ScrapeSettings {
  /** Whether names may be those of MIBs: OpenMetrics would demand `_total` at the end of each counter. */
  readonly naming?: Naming;
  readonly timestamps: boolean;
  readonly created: boolean;
}

const openMetricsType = 'application/openmetrics-text; version=1.0.0; charset=utf-8';
const classicType = 'text/plain; version=0.0.4; charset=utf-8';

/** Answers a scrape with the latest values as text. */
export function answerScrape(
  latest: LatestValues,
  { devices, objects, accept, acceptEncoding }: ScrapeRequest,
  settings: ScrapeSettings,
  nowMs: number,
): ScrapeAnswer {
  const openMetrics = settings.naming !== 'mib' && wantsOpenMetrics(accept);
  const isCompressed = wantsGzip(acceptEncoding);
  const wanted = [...selectViews(latest.fresh(nowMs), new Set(devices), new Set(objects))];
  const headers = {
    'content-type': openMetrics ? openMetricsType : classicType,
    'cache-control': 'no-store',
    vary: 'accept, accept-encoding',
  };
  return {
    headers: isCompressed ? { ...headers, 'content-encoding': 'gzip' } : headers,
    chunks: renderExposition(wanted, { ...settings, openMetrics, nowMs }),
    isCompressed,
  };
}

/** Selects devices by name or address, and objects by the id of their record. Empty means all. */
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

/** Reads the weights of an Accept or Accept-Encoding header, from 0 to 1, by media type or coding. */
function weigh(header: string | undefined): Map<string, number> {
  const weights = new Map<string, number>();
  for (const item of (header ?? '').split(',').slice(0, 32)) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const weight = quality === undefined ? 1 : Number(quality);
    if (name !== '' && weight >= (weights.get(name) ?? 0)) weights.set(name, weight);
  }
  return weights;
}

/** OpenMetrics only if the client asks for it by name, with at least the weight of the classic format. */
function wantsOpenMetrics(accept: string | undefined): boolean {
  const weights = weigh(accept);
  const openMetrics = weights.get('application/openmetrics-text') ?? 0;
  return openMetrics > 0 && openMetrics >= (weights.get('text/plain') ?? 0);
}

function wantsGzip(acceptEncoding: string | undefined): boolean {
  const weights = weigh(acceptEncoding);
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}
