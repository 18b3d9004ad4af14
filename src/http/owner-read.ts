import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import type { DeviceRef } from '../model/device.ts';
import { access } from './access.ts';

/** The address of the device that a request is about; undefined when it names none. */
export type FindSubject = (request: FastifyRequest) => Pick<DeviceRef, 'ip' | 'port'> | undefined;

/** The `config` of a read that the owner of a device answers in a cluster, outside the paths of devices. */
export function ownerRead(findSubject: FindSubject): FastifyContextConfig {
  return { ...access('read'), findSubject } as FastifyContextConfig;
}

/** Undefined for a route without `ownerRead`. */
export function subjectFinderOf({ routeOptions: { config } }: FastifyRequest): FindSubject | undefined {
  return (config as { readonly findSubject?: FindSubject }).findSubject;
}
