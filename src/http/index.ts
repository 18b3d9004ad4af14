/** For plugins with routes: roles, devices in paths, answers of a whole fleet, metrics. */

export { hasRole, httpRoles } from './access.ts';
export {
  type DevicePath,
  getAddressedDevice,
  getDevice,
  parseDeviceAddress,
  parsePort,
} from './addressed-device.ts';
export { isPartOfAnswer, roleHeader, scopeHeader, shardsScope } from './asked-scope.ts';
export { auditedDevice, nameAuditedDevice } from './audited-device.ts';
export { closeWithConnection } from './close-with-connection.ts';
export { findMerge, fleetFacts, fleetQuery, fleetRead } from './fleet-read.ts';
export { joinExpositions, labelExposition } from './join-expositions.ts';
export { histogramSamples, labelledMetric, type Metric, oneMetric, type Sample } from './metric.ts';
export { canChange, type FindSubject, ownerRead, subjectFinderOf } from './owner-read.ts';
export { quoteText } from './quote-text.ts';
export { inputProblem, stoppingProblem } from './request-problem.ts';
export { devicePaths, deviceRefSchema, listOf } from './route-schemas.ts';
export { waitWithin } from './wait-within.ts';
export { limitToShards, wantedShards } from './wanted-shards.ts';
