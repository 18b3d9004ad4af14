import type { Batch } from '../../../../src/index.ts';
import { addressText } from '../../../../src/internal.ts';
import { type Attribute, takeKey, wellFormed } from './attribute.ts';

/** What describes a device: attributes of OpenTelemetry's conventions, and the device's tags under their own names. */
export function resourceAttributes({ device, tags }: Batch, serviceName: string): Attribute[] {
  const { name, ip, port } = device;
  const attributes: Attribute[] = [
    ['service.name', serviceName],
    ['service.instance.id', addressText(device)],
    ['host.name', wellFormed(name)],
    ['host.ip', [ip]],
    ['server.address', ip],
    ['server.port', port],
  ];
  const taken = new Set(attributes.map(([key]) => key));
  for (const [tag, value] of Object.entries(tags)) attributes.push([takeKey(tag, taken), wellFormed(value)]);
  return attributes;
}
