import { splitObjectInstance } from '../../../src/model/object-instance.ts';
import { cliFailure } from '../../cli-errors.ts';
import { exitCodes } from '../../terminal/exit-codes.ts';
import { printFailure } from '../../terminal/failure.ts';
import { discoverDevice, discoverFirst } from '../discover.ts';
import { checkExplainable, explainValue } from '../explain.ts';
import { type PollOptions, pollDevice } from '../poll.ts';
import { type LocalDevice, withLocalDevice } from './local-device.ts';

interface LocalOptions {
  readonly config: string;
  readonly json?: boolean;
}

/** `waywiser poll DEVICE`: polls the device once. The records go to standard output, not to the outputs. */
export function poll(
  wanted: string,
  { config, object, ...options }: LocalOptions & PollOptions & { readonly object?: readonly string[] },
): Promise<number> {
  const choice = { config, wanted, ...(object === undefined ? {} : { objects: object }) };
  return withLocalDevice(choice, async (local) => {
    for (const id of object ?? []) local.definitions.current.getObject(id);
    await discoverIfNew(local);
    return pollDevice(local.client, local.place, options);
  });
}

/** `waywiser discover DEVICE`: shows what the device has and stores nothing. */
export function discover(wanted: string, { config, json = false }: LocalOptions): Promise<number> {
  return withLocalDevice({ config, wanted }, ({ client, place }) => discoverDevice(client, place, { json }));
}

/** `waywiser explain DEVICE OBJECT[.INSTANCE] ATTRIBUTE`: polls the device, then shows how one value came to be. */
export function explain(
  wanted: string,
  subject: string,
  attribute: string,
  { config, json = false, context }: LocalOptions & { readonly context?: string },
): Promise<number> {
  return withLocalDevice({ config, wanted }, (local) =>
    explainLocally(local, { subject, attribute, context }, json),
  );
}

export async function explainLocally(
  local: LocalDevice,
  { subject, attribute, context }: { subject: string; attribute: string; context?: string | undefined },
  json: boolean,
): Promise<number> {
  const { client, place, device } = local;
  // An unknown object or attribute is an error before anything is sent to the device.
  await checkExplainable(client, place, { object: subject, attribute, context });
  let failure: unknown;
  if (device.settings.enabled !== false) {
    try {
      await discoverIfNew(local);
      await client.call('pollDevice', { path: place, query: { wait: true } });
    } catch (error) {
      failure = error;
    }
  }
  const object = nameInstance(local, subject, context);
  const code = await explainValue(client, place, { object, attribute, context }, { json });
  if (failure === undefined) return code;
  printFailure(failure);
  return exitCodes.failed;
}

async function discoverIfNew({ client, place, device, discovery }: LocalDevice): Promise<void> {
  const isNew = discovery.findInventory(device) === undefined;
  if (isNew && device.settings.enabled !== false) await discoverFirst(client, place);
}

/** The subject with the only instance of its object where it names none. Throws DEVICE_INSTANCE_MISSING for several. */
function nameInstance(
  { device, discovery, definitions }: LocalDevice,
  subject: string,
  context: string | undefined,
): string {
  const isObject = (id: string) => definitions.current.findObject(id) !== undefined;
  const { object, instance } = splitObjectInstance(subject, isObject);
  if (instance !== undefined) return subject;
  const inventory = discovery.findInventory(device);
  const further = context === undefined ? undefined : inventory?.contexts?.get(context);
  const instances = (further ?? inventory?.objects)?.get(object)?.instances ?? [];
  const [first = '0'] = instances;
  if (instances.length < 2) return `${object}.${first}`;
  const details = { object, count: instances.length, device: device.ref.name, first };
  throw cliFailure('DEVICE_INSTANCE_MISSING', details);
}
