import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import type { DeviceRef } from '../model/device.ts';
import { access } from './access.ts';

/** The address of the device that a request is about; undefined when it names none. */
export type FindSubject = (request: FastifyRequest) => Pick<DeviceRef, 'ip' | 'port'> | undefined;

/**
 * The `config` of a read that the owner of a device answers in a cluster, outside the paths of devices. `canChange`: for callers with the role
 * operate it changes something, so no page of another site may let a browser send it.
 */
export function ownerRead(findSubject: FindSubject, canChange = false): FastifyContextConfig {
  return { ...access('read'), findSubject, canChange } as FastifyContextConfig;
}

/** Whether a route can change something although its method is safe. */
export function canChange({ routeOptions: { config } }: FastifyRequest): boolean {
  return (config as { readonly canChange?: boolean }).canChange === true;
}

/** Undefined for a route without `ownerRead`. */
export function subjectFinderOf({ routeOptions: { config } }: FastifyRequest): FindSubject | undefined {
  return (config as { readonly findSubject?: FindSubject }).findSubject;
}
