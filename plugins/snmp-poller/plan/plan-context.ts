import type { DecodeOptions } from '../../../src/definitions/index.ts';
import type { Generation } from '../../definitions-loader/service.ts';
import type { ShapeObject } from './device-shape.ts';
import type { Presence } from './presence.ts';
import type { SlotAllocator } from './slot-allocator.ts';

export type PlanDefinitions = Pick<Generation['sections'], 'objects' | 'tables' | 'enums' | 'oidNames'>;

/** What all steps of the compilation of one plan share. */
export interface PlanContext {
  readonly definitions: PlanDefinitions;
  readonly decodeOptions: DecodeOptions;
  readonly objects: ReadonlyMap<string, ShapeObject>;
  readonly presence: Presence;
  readonly everyMs: number;
  readonly allocator: SlotAllocator;
}
