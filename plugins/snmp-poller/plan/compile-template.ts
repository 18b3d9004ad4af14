import {
  type AttributeRef,
  type CompiledTemplate,
  columnNamesFor,
  createDecoder,
  createIndexDecoder,
  findSyntax,
  type IndexPart,
} from '../../../src/definitions/index.ts';
import { runToEnd } from '../../../src/timing/index.ts';
import { type LookupPlaces, placeLookup, slotsOfPlaces } from './place-lookup.ts';
import type { PlanContext } from './plan-context.ts';
import type { ColumnSource, TemplatePlan } from './poll-plan.ts';

/** Where the values of a template are read. */
export interface TemplateSubject {
  readonly index: readonly IndexPart[];
  /** The rows. */
  readonly instances: readonly string[];
}

/** Requests what a template names, with the labels that are read once. The returned function builds it after slots are allocated. */
export function draftTemplate(
  template: CompiledTemplate,
  subject: TemplateSubject,
  context: PlanContext,
): () => TemplatePlan {
  const parts = template.map((part): (() => TemplatePlan[number]) => {
    if (typeof part === 'string') return () => part;
    if ('part' in part) return () => indexTexts(part.part, subject, context);
    return draftText(part, subject.instances, context);
  });
  return () => parts.map((finish) => finish());
}

/** Requests an attribute as text. `asRaw`: numbers stay numbers, whatever names their syntax gives them. */
export function draftText(
  ref: AttributeRef,
  rows: readonly string[],
  context: PlanContext,
  asRaw = false,
): () => ColumnSource {
  const { objects, definitions, presence, allocator, everyMs } = context;
  const attribute = definitions.objects.get(ref.object)!.attributes.get(ref.attribute)!;
  const polled = objects.get(ref.object);
  const isPolled = polled?.everyMs === everyMs && attribute.fields.length > 0;
  const { index } = definitions.objects.get(ref.object)!;
  const places = attribute.at && runToEnd(placeLookup(rows, index, attribute.at));
  const instances = places?.instances ?? (isPolled ? presence.instancesOf(polled, attribute) : rows);
  allocator.request(attribute, instances, !isPolled);
  return () => {
    const own = findSyntax(attribute.syntax)!;
    const syntax = asRaw || own.kind === 'none' ? findSyntax('OctetString')! : own;
    const names = columnNamesFor(definitions, syntax.name, attribute.column);
    const firstSlot = allocator.find(attribute.column, instances)?.firstSlot ?? 0;
    const isAligned =
      places === undefined &&
      instances.length === rows.length &&
      instances.every((at, row) => at === rows[row]);
    return {
      ...ref,
      column: attribute.column,
      decoder: createDecoder(syntax, names, context.decodeOptions),
      scale: { times: 1, over: 1 },
      reading: syntax.reading,
      firstSlot,
      slots: isAligned ? undefined : slotsOf(rows, instances, places, firstSlot),
      rowScale: undefined,
      missing: attribute.missing && new Set(attribute.missing),
      isElsewhere: false,
    };
  };
}

function slotsOf(
  rows: readonly string[],
  instances: readonly string[],
  places: LookupPlaces | undefined,
  firstSlot: number,
): Int32Array {
  if (places !== undefined) return slotsOfPlaces(places, firstSlot);
  const slots = new Map(instances.map((instance, position) => [instance, firstSlot + position]));
  return Int32Array.from(rows, (instance) => slots.get(instance) ?? -1);
}

/** A part of the index, or all of it, for each row. A part that its definition does not name is decoded by its type. */
function indexTexts(
  part: number | 'all',
  { index, instances }: TemplateSubject,
  { definitions, decodeOptions }: PlanContext,
): readonly (string | undefined)[] {
  if (part === 'all') return instances;
  const wanted = index.map((each, position) => ({
    ...each,
    field: position === part ? 'text' : undefined,
    syntax: position === part && each.syntax === 'none' ? syntaxOf(each) : each.syntax,
  }));
  const decode = createIndexDecoder(
    wanted,
    ({ syntax, column }) => columnNamesFor(definitions, syntax, column),
    decodeOptions,
  );
  return decode(instances.map((instance) => instance.split('.').map(Number))).labels['text'] ?? [];
}

function syntaxOf({ type }: IndexPart): string {
  switch (type) {
    case 'IpAddress':
      return 'IpAddressNoSuffix';
    case 'MacAddress':
      return 'MacAddressNoSuffix';
    case 'OctetString':
    case 'ImplicitOctetString':
    case 'Opaque':
      return 'OctetString';
    case 'ObjectIdentifier':
    case 'ImplicitObjectIdentifier':
      return 'ObjectIdentifier';
    default:
      return 'UnsignedAsID';
  }
}
