import type { CompiledObject } from '../../../src/definitions/index.ts';
import type { InventoryCut, ObjectInventory } from '../../../src/index.ts';
import type { SnmpSession } from '../../../src/snmp/index.ts';
import { type SurveyOptions, surveyObjects } from './survey-objects.ts';

export interface ChoiceOptions extends Omit<SurveyOptions, 'onProgress'> {
  /** The objects to survey, given those that have no row. */
  choose(empty: ReadonlySet<string>): readonly CompiledObject[];
  /** An object whose known rows still hold: it is not asked for. */
  isKept(object: CompiledObject): boolean;
  readonly onProgress?: ((objects: number, instances: number, total: number) => void) | undefined;
  /** The error of a survey that ended before `total` objects were asked for. */
  brokeOff(objects: number, total: number, reason: unknown): unknown;
}

export interface ChoiceSurvey {
  readonly objects: ReadonlyMap<string, ObjectInventory>;
  /** Objects without a row, as all are filtered out or none has the discovery attribute. */
  readonly empty: ReadonlySet<string>;
  readonly cut: InventoryCut | undefined;
}

/**
 * Surveys the chosen objects. Only then is it known which of them have no row: it chooses again without those, as objects that they
 * replace are collected in their place.
 */
export async function surveyChoice(session: SnmpSession, options: ChoiceOptions): Promise<ChoiceSurvey> {
  const { choose, isKept, onProgress, brokeOff, budget } = options;
  const objects = new Map<string, ObjectInventory>();
  const asked = new Set<string>();
  const empty = new Set<string>();
  const end = budget.left - options.share;
  let instances = 0;
  let cut: InventoryCut | undefined;
  for (;;) {
    const next = choose(empty).filter((object) => !asked.has(object.id) && !isKept(object));
    if (next.length === 0) return { objects, empty, cut };
    for (const { id } of next) asked.add(id);
    const before = { objects: objects.size, instances };
    const survey = await surveyObjects(session, next, {
      ...options,
      share: Math.max(0, budget.left - end),
      onProgress(done, found) {
        instances = before.instances + found;
        onProgress?.(before.objects + done, instances, asked.size);
      },
    });
    for (const [id, inventory] of survey.objects) {
      objects.set(id, inventory);
      if (inventory.instances.length === 0 && inventory.partial === undefined) empty.add(id);
    }
    if (survey.brokeOff !== undefined) throw brokeOff(objects.size, asked.size, survey.brokeOff);
    if (survey.cut !== undefined)
      cut = { ...survey.cut, objects: [...(cut?.objects ?? []), ...survey.cut.objects] };
  }
}
