import type { FastifyRequest } from 'fastify';
import type { DeviceRef } from '../model/device.ts';

/** The property of a request that has the device of its audit line. */
export const auditedDevice = 'waywiserAuditedDevice';

/** Adds the device to the audit line of a request, for routes whose path does not contain it. */
export function nameAuditedDevice(request: FastifyRequest, device: DeviceRef): void {
  if (request.server.hasRequestDecorator(auditedDevice)) request.setDecorator(auditedDevice, device);
}
