import { leftOutSchema } from '../../../src/definitions/index.ts';
import { devicePaths, deviceRefSchema, listOf } from '../../../src/http/index.ts';
import { access, gapReasons, HttpProblem, Type } from '../../../src/index.ts';
import { splitObjectInstance } from '../../../src/model/index.ts';
import type { RoutePlugin } from '../../http-routes/service.ts';
import type { ValueExplanation } from '../service.ts';
import { optionalField, type RouteTools } from './route-tools.ts';
import { showValue, valueSchema } from './shown-row.ts';

const time = Type.String({ format: 'date-time' });
const gap = Type.Unsafe<(typeof gapReasons)[number]>(
  Type.String({ title: 'GapReason', enum: [...gapReasons] }),
);
const attributeRef = Type.Object(
  { object: Type.String(), attribute: Type.String() },
  { title: 'AttributeRef' },
);

const explanationSchema = Type.Object(
  {
    device: deviceRefSchema,
    object: Type.String(),
    attribute: Type.String(),
    instance: Type.String(),
    context: optionalField(Type.String({ description: 'the SNMPv3 context, for a device with several' })),
    verdict: Type.String({
      description: 'that the last poll returned the value, or the first reason why it is missing',
    }),
    notCollected: optionalField(leftOutSchema),
    definition: Type.Object({
      file: Type.String(),
      line: Type.Integer({ description: 'the line of the object, counted from 1' }),
      column: Type.String({ description: 'the OID without an instance' }),
      record: Type.String(),
      fields: listOf(Type.String()),
      tag: Type.Boolean(),
      decoding: Type.Object({
        syntax: Type.String(),
        input: Type.String({ description: 'the SNMP types that the syntax accepts' }),
        description: Type.String(),
        kind: Type.String(),
        scale: Type.Object({ times: Type.Number(), over: Type.Number() }),
        scaledBy: listOf(attributeRef),
        unit: optionalField(Type.String()),
        enum: optionalField(Type.String({ description: 'the enum that names the values' })),
      }),
    }),
    broughtInBy: listOf(
      Type.Object({ deviceGroup: Type.String(), objectGroup: Type.Optional(Type.String()) }),
    ),
    state: Type.String(),
    since: time,
    why: Type.String({ description: 'why the device is in that state' }),
    inventory: optionalField(
      Type.Object(
        {
          version: Type.Integer(),
          discoveredAt: time,
          instances: optionalField(
            Type.Integer({ description: 'absent when no discovery looked for the object' }),
          ),
          hasInstance: Type.Boolean(),
          isOutdated: Type.Boolean({ description: 'whether the definition of the object has changed since' }),
          partial: optionalField(Type.String()),
          overriddenBy: optionalField(attributeRef),
        },
        { description: 'absent before the first discovery' },
      ),
    ),
    reading: optionalField(
      Type.Object({
        plan: Type.String(),
        everyMs: Type.Number(),
        oid: Type.String(),
        request: Type.Object({ columns: Type.Integer(), rows: Type.Integer() }),
        slotAt: optionalField(time),
        raw: optionalField(
          Type.Object({
            type: Type.String(),
            value: Type.String({ description: 'the number, or the octets in hexadecimal' }),
          }),
        ),
        gap: optionalField(gap),
        fields: listOf(
          Type.Object({
            record: Type.String(),
            field: Type.String(),
            isLabel: Type.Boolean(),
            unit: optionalField(Type.String()),
            value: optionalField(valueSchema),
            gap: optionalField(gap),
          }),
        ),
      }),
    ),
    lastFailure: optionalField(Type.Object({ code: Type.String(), at: time })),
  },
  { title: 'Explanation' },
);

const schema = {
  operationId: 'explainValue',
  tags: ['devices'],
  summary: 'Explain one value: how it is read and decoded, or why it is missing',
  querystring: Type.Object(
    {
      object: Type.String({
        minLength: 1,
        maxLength: 1800,
        description: 'the id, such as IF-MIB::ifEntry; with the instance appended when `instance` is absent',
      }),
      instance: Type.Optional(
        Type.String({
          pattern: '^\\d{1,10}(\\.\\d{1,10}){0,127}$',
          maxLength: 1500,
          description: 'index arcs; 0, the default, for a scalar',
        }),
      ),
      attribute: Type.String({ minLength: 1, maxLength: 300 }),
      context: Type.Optional(
        Type.String({
          maxLength: 300,
          description: 'an SNMPv3 context of the device; by default the first that has the instance',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  response: { 200: explanationSchema },
};

export function explainValueRoute({ poller, find, isObject }: RouteTools): RoutePlugin {
  return async (app) => {
    for (const { path, params, suffix } of devicePaths) {
      const named = { ...schema, params, operationId: schema.operationId + suffix };
      app.get(`${path}/explain`, { config: access('read'), schema: named }, async (request) => {
        const { query } = request;
        try {
          const { object, instance = '0' } =
            query.instance === undefined ? splitObjectInstance(query.object, isObject) : query;
          return show(poller.explain(find(request.params), { ...query, object, instance }));
        } catch (error) {
          const { code, message } = error as Error & { readonly code?: unknown };
          if (code === 'POLL_ATTRIBUTE_UNKNOWN' || code === 'POLL_CONTEXT_UNKNOWN')
            throw new HttpProblem(404, code, message);
          throw error;
        }
      });
    }
  };
}

function show({ status, inventory, reading, lastFailure, ...rest }: ValueExplanation) {
  return {
    ...rest,
    state: status.state,
    since: timeOf(status.sinceMs),
    why: status.why,
    inventory: inventory && { ...inventory, discoveredAt: timeOf(inventory.discoveredMs) },
    reading: reading && {
      ...reading,
      slotAt: reading.slotMs === 0 ? undefined : timeOf(reading.slotMs),
      fields: reading.fields.map(({ value, ...field }) => ({
        ...field,
        value: value === undefined ? undefined : showValue(value),
      })),
    },
    lastFailure: lastFailure && { code: lastFailure.code, at: timeOf(lastFailure.atMs) },
  };
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
