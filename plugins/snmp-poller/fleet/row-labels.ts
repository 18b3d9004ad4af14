import type { PolledDevice } from '../device/polled-device.ts';

/** Finds the labels of rows. */
export class RowLabels {
  /** The positions of instances, by the list that devices of one shape share. */
  readonly #positions = new WeakMap<readonly string[], ReadonlyMap<string, number>>();

  /** The labels of a row in all plans of the contexts that have read it. */
  find(
    contexts: Iterable<Pick<PolledDevice, 'state'>>,
    table: string,
    instance: string,
  ): Readonly<Record<string, string>> | undefined {
    let found: Record<string, string> | undefined;
    for (const { state } of contexts) {
      for (const { records } of state.memories.values()) {
        for (const { plan, rows } of records) {
          if (plan.table !== table || rows === undefined) continue;
          const row = this.#positionOf(instance, plan.instances);
          if (row === undefined) continue;
          found ??= {};
          for (const field in rows.labels) {
            const label = rows.labels[field]![row];
            if (label !== undefined) found[field] = label;
          }
        }
      }
    }
    return found;
  }

  #positionOf(instance: string, instances: readonly string[]): number | undefined {
    let places = this.#positions.get(instances);
    if (places === undefined) {
      places = new Map(instances.map((each, position) => [each, position]));
      this.#positions.set(instances, places);
    }
    return places.get(instance);
  }
}
