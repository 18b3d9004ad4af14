/** The options of snmp-discovery that limit what one device may take. */
const cutLimits = ['max_instances', 'max_bytes', 'max_seconds', 'max_total_bytes'] as const;

/** A limit that a device has reached, and the objects whose instances are incomplete because of it. */
export interface InventoryCut {
  /** The option and its value. */
  readonly limit: (typeof cutLimits)[number];
  readonly value: number;
  readonly objects: readonly string[];
}

/** As `toLocaleString('en')`, which takes 50 ms when it is called first: it loads the languages. */
function groupDigits(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

const megabyte = 1_048_576;

/** Says which limit was reached and what to do, after the name of a device or of an object. */
export function explainCut({ limit, value }: Pick<InventoryCut, 'limit' | 'value'>): string {
  switch (limit) {
    case 'max_instances':
      return `cut at ${groupDigits(value)} instances of the device; raise max_instances of snmp-discovery to get more`;
    case 'max_bytes':
      return `cut at ${Math.round(value / megabyte)} MiB of memory for the device; raise max_bytes of snmp-discovery to get more`;
    case 'max_seconds':
      return `cut after ${value} s of discovery; raise max_seconds of snmp-discovery to get more`;
    case 'max_total_bytes':
      return `cut because all devices together take almost ${Math.round(value / megabyte)} MiB; raise max_total_bytes of snmp-discovery to get more`;
  }
}

export function isCut(value: unknown): value is InventoryCut {
  const { limit, value: reached, objects } = (value ?? {}) as Partial<InventoryCut>;
  if (!cutLimits.includes(limit as InventoryCut['limit']) || !Number.isFinite(reached)) return false;
  return Array.isArray(objects) && objects.every((each) => typeof each === 'string');
}
