import { showValue } from '../../../plugins/snmp-poller/routes/shown-row.ts';
import type { Question } from '../../../plugins/snmp-poller/service.ts';
import { splitObjectInstance } from '../../model/object-instance.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { printFailure } from '../terminal/failure.ts';
import { formatExplanation } from './explanation-text.ts';
import { deviceCommandFailure } from './failure.ts';
import { pollOnce } from './poll.ts';
import { type OpenDevice, withDevice } from './with-device.ts';

export interface ExplainOptions {
  readonly config: string;
  readonly json?: boolean;
  /** One of the device's SNMPv3 contexts. */
  readonly context?: string;
}

/** `waywiser explain DEVICE OBJECT[.INSTANCE] ATTRIBUTE`: how one value comes to be, or what stands in its way. */
export function explain(
  wanted: string,
  subject: string,
  attribute: string,
  { config, json = false, context }: ExplainOptions,
): Promise<number> {
  return withDevice({ config, wanted }, (open) => showExplanation(open, subject, attribute, json, context));
}

export async function showExplanation(
  open: OpenDevice,
  subject: string,
  attribute: string,
  json: boolean,
  context?: string,
): Promise<number> {
  const { device, definitions, poller } = open;
  const { object, instance } = splitObjectInstance(
    subject,
    (id) => definitions.current.findObject(id) !== undefined,
  );
  // An object or attribute that does not exist is told before anything is asked.
  poller.explain(device, { object, attribute, instance: '0', context });
  let failure: unknown;
  if (device.settings.enabled !== false) {
    await pollOnce(open).catch((error: unknown) => {
      failure = error;
    });
  }
  const question = {
    object,
    attribute,
    instance: instance ?? findOnlyInstance(open, object, context),
    context,
  };
  const explanation = poller.explain(device, question);
  const isThere = failure === undefined && explanation.reading?.raw !== undefined;
  const exact = (_key: string, value: unknown) => (typeof value === 'bigint' ? showValue(value) : value);
  console.log(json ? JSON.stringify(explanation, exact, 2) : formatExplanation(explanation));
  if (failure !== undefined) printFailure(failure);
  return isThere ? exitCodes.done : exitCodes.failed;
}

/** The instance that is meant where none is given. */
function findOnlyInstance(
  { device, discovery }: OpenDevice,
  object: string,
  context: string | undefined,
): Question['instance'] {
  const inventory = discovery.findInventory(device);
  const further = context === undefined ? undefined : inventory?.contexts?.get(context);
  const objects = further ?? inventory?.objects;
  const instances = objects?.get(object)?.instances ?? [];
  const [first = '0'] = instances;
  if (instances.length < 2) return first;
  throw deviceCommandFailure('DEVICE_INSTANCE_MISSING', {
    object,
    count: instances.length,
    device: device.ref.name,
    first,
  });
}
