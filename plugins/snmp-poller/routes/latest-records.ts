import { devicePaths, deviceRefSchema, listOf } from '../../../src/http/index.ts';
import { access, Type } from '../../../src/index.ts';
import type { RoutePlugin } from '../../http-routes/service.ts';
import { cutPage } from './record-page.ts';
import type { RouteTools } from './route-tools.ts';
import { valueSchema } from './shown-row.ts';

const texts = Type.Record(Type.String(), Type.String());
const rowSchema = Type.Object(
  {
    key: Type.String({ description: 'identifies the row from poll to poll' }),
    labels: texts,
    values: Type.Record(Type.String(), valueSchema, { description: 'by field' }),
    gaps: Type.Record(Type.String(), Type.String(), { description: 'why values are missing, by field' }),
  },
  { title: 'RecordRow' },
);

const fieldSchema = Type.Object(
  {
    field: Type.String(),
    unit: Type.Optional(Type.String({ description: 'the unit of the values, such as B or °C' })),
  },
  {
    title: 'RecordField',
    description: 'a field of `values` and `gaps`, in the order of the record',
  },
);

const schema = {
  operationId: 'getRecords',
  tags: ['devices'],
  summary: 'The latest values of a device',
  description:
    'All rows of all records, with the fields of each record and their units; none before the first poll. A page ends after `limit` rows, or earlier when rows are large.',
  querystring: Type.Object(
    {
      record: Type.Optional(
        Type.String({ maxLength: 300, description: 'only this record, such as IF-MIB::ifEntry' }),
      ),
      limit: Type.Integer({ minimum: 1, maximum: 1000, default: 200, description: 'rows' }),
      cursor: Type.Optional(Type.String({ maxLength: 4000, description: '`next` of the previous page' })),
    },
    { additionalProperties: false },
  ),
  response: {
    200: Type.Object(
      {
        device: deviceRefSchema,
        rows: Type.Integer({ description: 'the number of rows on all pages' }),
        records: listOf(
          Type.Object(
            {
              record: Type.String(),
              plan: Type.String(),
              generation: Type.Integer(),
              slotAt: Type.String({ format: 'date-time', description: 'when the poll was due' }),
              at: Type.String({ format: 'date-time', description: 'when its last reply came' }),
              fields: listOf(fieldSchema),
              rows: listOf(rowSchema),
            },
            { title: 'DeviceRecord' },
          ),
        ),
        next: Type.Optional(
          Type.String({ description: 'the cursor of the next page; absent on the last page' }),
        ),
      },
      { title: 'RecordPage' },
    ),
  },
};

export function latestRecords({ poller, find }: RouteTools): RoutePlugin {
  return async (app) => {
    for (const { path, params, suffix } of devicePaths) {
      const named = { ...schema, params, operationId: schema.operationId + suffix };
      app.get(`${path}/records`, { config: access('read'), schema: named }, async (request) => {
        const { record, limit, cursor } = request.query;
        const device = find(request.params);
        const batches = poller
          .latest(device)
          .filter((batch) => record === undefined || batch.record === record);
        return { device: device.ref, ...cutPage(batches, limit, cursor) };
      });
    }
  };
}
