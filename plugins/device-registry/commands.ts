/** What the program needs of the registry: devices without a collector. */

export { readStoredDevices } from './stored-devices.ts';
export { buildTargets } from './targets.ts';
