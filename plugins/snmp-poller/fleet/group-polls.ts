import { deviceKey } from '../../../src/index.ts';
import { contextsOf } from '../../../src/model/index.ts';
import type { Device } from '../../device-registry/service.ts';
import { type DeviceTools, toolsForGroups } from '../device/device-tools.ts';
import { PolledDevice } from '../device/polled-device.ts';

/** Lists of device groups per device. The plans of the one that was used longest ago are dropped for a further one. */
const maxLists = 8;

/** Devices as they are polled on demand, each for some device groups only: their plans read nothing else. */
export class GroupPolls {
  readonly #tools: DeviceTools;
  readonly #retire: (polled: PolledDevice) => void;
  /** By device, then by its device groups and contexts; the one that was used last comes last. */
  readonly #devices = new Map<string, Map<string, readonly PolledDevice[]>>();

  constructor(tools: DeviceTools, retire: (polled: PolledDevice) => void) {
    this.#tools = tools;
    this.#retire = retire;
  }

  /** The device in each of its contexts, with plans for these groups. */
  find(device: Device, deviceGroups: readonly string[]): readonly PolledDevice[] {
    const key = deviceKey(device.ref);
    const lists = this.#devices.get(key) ?? new Map<string, readonly PolledDevice[]>();
    this.#devices.set(key, lists);
    const [, ...further] = contextsOf(device.settings);
    const name = JSON.stringify([deviceGroups, further]);
    const tools = toolsForGroups(this.#tools, deviceGroups);
    const contexts =
      lists.get(name) ?? [undefined, ...further].map((context) => new PolledDevice(device, tools, context));
    lists.delete(name);
    lists.set(name, contexts);
    const [oldest] = lists.keys();
    if (lists.size > maxLists) {
      for (const polled of lists.get(oldest!)!) this.#retire(polled);
      lists.delete(oldest!);
    }
    return contexts;
  }

  /** All of a device, by its key. */
  at(key: string): readonly PolledDevice[] {
    return [...(this.#devices.get(key)?.values() ?? [])].flat();
  }

  remove(key: string): void {
    for (const polled of this.at(key)) this.#retire(polled);
    this.#devices.delete(key);
  }
}
