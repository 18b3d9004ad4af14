import {
  type AttributeRef,
  type CompiledAttribute,
  type CompiledObject,
  type CompiledSensor,
  type DecodeOptions,
  findSyntax,
  scaleFor,
  wishOf,
} from '../../../src/definitions/index.ts';
import { defineErrors, type Inventory, suggestName } from '../../../src/index.ts';
import type { Generation, Located } from '../../definitions-loader/service.ts';
import type { Device } from '../../device-registry/service.ts';
import { askAgainEvery } from '../device/absent-values.ts';
import type { PollFailure } from '../device/device-state.ts';
import { pollerErrors } from '../errors.ts';
import { findNotCollected } from './not-collected.ts';
import type { ExplainedDefinition, ExplainedInventory, ValueExplanation } from './value-explanation.ts';
import type { ValueReading } from './value-reading.ts';
import { writeVerdict } from './verdict.ts';

/** The value to explain. */
export interface Question {
  readonly object: string;
  /** Index arcs; `0` for a scalar. */
  readonly instance: string;
  readonly attribute: string;
  /** One of a device's SNMPv3 contexts; by default the first that has the instance. */
  readonly context?: string | undefined;
}

/** What is known about the device. */
export interface Evidence {
  readonly generation: Generation;
  readonly decodeOptions: DecodeOptions;
  /** The context of the value, where the device has several. */
  readonly context: string | undefined;
  readonly inventory: Inventory | undefined;
  readonly lastFailure: PollFailure | undefined;
  readonly reading: ValueReading | undefined;
  /** Whether most polls leave the value out, because the device has never had it. */
  isLeftOut(reading: ValueReading): boolean;
  /** Until when the device is not asked for a column or scalar, because it did not answer for it. */
  silentUntilMs(oid: string): number | undefined;
  /** Until when a table is read by GET, because the OIDs in its replies do not increase. */
  misorderedUntilMs(table: string): number | undefined;
}

const failure = defineErrors(pollerErrors);

/** Explains a value. Throws only for an object or an attribute that the definitions do not have. */
export function explainValue(device: Device, question: Question, evidence: Evidence): ValueExplanation {
  const { object, instance, attribute } = question;
  const { generation, reading } = evidence;
  const located = generation.getObject(object);
  const { definition } = located;
  const meant = definition.attributes.get(attribute);
  if (meant === undefined) {
    const suggestion = suggestName(attribute, definition.attributes.keys());
    throw failure('POLL_ATTRIBUTE_UNKNOWN', { object, attribute, suggestion });
  }
  const groups = device.settings.device_groups ?? evidence.inventory?.deviceGroups ?? [];
  const facts = {
    device: device.ref,
    object,
    attribute,
    instance,
    context: evidence.context,
    definition: describeDefinition(located, meant, evidence.decodeOptions),
    broughtInBy: groups.flatMap((id) => findGroupPaths(generation, id, object, evidence.inventory)),
    status: device.status,
    inventory: evidence.inventory && describeInventory(evidence.inventory, definition, question, generation),
    reading,
    lastFailure: evidence.lastFailure,
  };
  const known = evidence.inventory?.objects.get(object)?.instances ?? [];
  const wish = wishOf(groups.flatMap((id) => generation.findDeviceGroup(id)?.definition ?? []));
  const missing = findNotCollected(definition, device.ref.name, wish, evidence.inventory, generation);
  const isEnabled = device.settings.enabled !== false;
  const verdict = writeVerdict(facts, isEnabled, groups, known, missing?.sentence);
  return {
    ...facts,
    notCollected: missing && { why: missing.why, ...(missing.by === undefined ? {} : { by: missing.by }) },
    verdict:
      verdict +
      explainAbsence(evidence) +
      explainSilence(meant.column, evidence) +
      explainOrder(meant.column, evidence),
  };
}

/** For a value that the device has never had. */
function explainAbsence({ reading, isLeftOut }: Evidence): string {
  if (reading === undefined || !isLeftOut(reading)) return '';
  return ` The device has never had it since the last discovery. Polls leave it out, and ask for it again every ${askAgainEvery} polls and after a discovery.`;
}

/** For a value that is left out because the device does not answer for its column or for the value itself. */
function explainSilence(column: string, { reading, silentUntilMs }: Evidence): string {
  if (reading?.gap !== 'timeout') return '';
  const silent = [column, reading.oid].find((oid) => silentUntilMs(oid) !== undefined);
  if (silent === undefined) return '';
  const untilMs = silentUntilMs(silent)!;
  return ` The device answers other requests, but not those for ${silent}: they are left out until ${new Date(untilMs).toISOString()}.`;
}

function explainOrder(column: string, { reading, misorderedUntilMs }: Evidence): string {
  const table = column.slice(0, column.lastIndexOf('.'));
  const untilMs = reading && misorderedUntilMs(table);
  if (untilMs === undefined) return '';
  return ` The OIDs in replies to GETBULK do not increase below ${table}: it is read by GET until ${new Date(untilMs).toISOString()}.`;
}

function describeDefinition(
  { definition, origin }: Located<CompiledObject>,
  { column, fields, tag, syntax: name, scale, unit, enum: names, sensor }: CompiledAttribute,
  decodeOptions: DecodeOptions,
): ExplainedDefinition {
  const syntax = findSyntax(name)!;
  return {
    ...origin,
    column,
    record: sensor === undefined ? definition.record : 'sensor',
    fields: sensor === undefined ? fields.map(({ field }) => field) : fieldsOfSensor(sensor),
    tag,
    decoding: {
      syntax: name,
      input: syntax.input,
      description: syntax.description,
      kind: syntax.kind,
      scale: scaleFor(syntax, decodeOptions),
      scaledBy: [scale?.prefix, scale?.precision, scale?.divisor, scale?.times, scale?.unit?.of].filter(
        (ref) => ref !== undefined,
      ),
      unit: unit ?? syntax.unit,
      enum: names,
    },
  };
}

function fieldsOfSensor({ class: kind, state }: CompiledSensor): string[] {
  return [
    ...(kind === 'state' ? [] : ['sensor.value']),
    ...(state === undefined ? [] : ['sensor.state', 'sensor.status']),
  ];
}

function findGroupPaths(
  generation: Generation,
  deviceGroup: string,
  object: string,
  inventory: Inventory | undefined,
): { readonly deviceGroup: string; readonly objectGroup?: string }[] {
  const { members = [], objects = [], auto } = generation.findDeviceGroup(deviceGroup)?.definition ?? {};
  const paths = members
    .filter((id) => generation.findObjectGroup(id)?.definition.objects.includes(object))
    .map((objectGroup) => ({ deviceGroup, objectGroup }));
  if (paths.length > 0) return paths;
  const isAnswered = auto !== undefined && !auto.without.includes(object) && inventory?.objects.has(object);
  return objects.includes(object) || isAnswered === true ? [{ deviceGroup }] : [];
}

function describeInventory(
  inventory: Inventory,
  { id, hash }: CompiledObject,
  { attribute, instance }: Question,
  generation: Generation,
): ExplainedInventory {
  const found = inventory.objects.get(id);
  return {
    version: inventory.version,
    discoveredMs: inventory.discoveredMs,
    instances: found?.instances.length,
    hasInstance: found?.instances.includes(instance) ?? false,
    isOutdated: found !== undefined && found.hash !== hash,
    partial: found?.partial,
    overriddenBy: findOverriding(generation, inventory, { object: id, attribute }, instance),
  };
}

/** The attribute that overrides this one at an instance, if there is one. */
function findOverriding(
  generation: Generation,
  inventory: Inventory,
  meant: AttributeRef,
  instance: string,
): AttributeRef | undefined {
  for (const [id, { instances, overriding }] of inventory.objects) {
    const attributes = generation.findObject(id)?.definition.attributes.values() ?? [];
    for (const { name, overrides } of attributes) {
      const where = overriding[name];
      if (where === undefined || !overrides.some((each) => isSame(each, meant))) continue;
      const position = instances.indexOf(instance);
      if (position >= 0 && (where === true || where.includes(position)))
        return { object: id, attribute: name };
    }
  }
  return undefined;
}

function isSame(one: AttributeRef, other: AttributeRef): boolean {
  return one.object === other.object && one.attribute === other.attribute;
}
