import assert from 'node:assert/strict';
import { type HttpReceiver, type ReceivedRequest, startHttpReceiver } from '../support/http-receiver.ts';

export interface BulkItem {
  readonly id: string;
  readonly document: Readonly<Record<string, unknown>>;
  /** The body as received. */
  readonly text: string;
}

export type ItemAnswer = 201 | { readonly status: number; readonly type: string; readonly reason: string };

export interface BulkServer extends HttpReceiver {
  /** The created documents, by id. */
  readonly documents: ReadonlyMap<string, BulkItem>;
  /** The items of each request. */
  readonly items: readonly (readonly BulkItem[])[];
}

/** Accepts bulk requests strictly as documented by Elasticsearch. `judge` returns the status of a new document. */
export async function startBulkServer(
  judge: (item: BulkItem, request: number) => ItemAnswer = () => 201,
): Promise<BulkServer> {
  const documents = new Map<string, BulkItem>();
  const items: BulkItem[][] = [];
  const receiver = await startHttpReceiver((request) => {
    const read = readBulk(request);
    items.push(read);
    const answers = read.map((item) => {
      const answer = documents.has(item.id)
        ? { status: 409, type: 'version_conflict_engine_exception', reason: 'document already exists' }
        : judge(item, items.length);
      if (answer === 201) {
        documents.set(item.id, item);
        return { create: { status: 201 } };
      }
      const { status, type, reason } = answer;
      return { create: { status, error: { type, reason } } };
    });
    const hasErrors = answers.some(({ create }) => create.status >= 300);
    return { status: 200, body: JSON.stringify({ errors: hasErrors, items: answers }) };
  });
  return Object.assign(receiver, { documents, items });
}

function readBulk({ method, path, headers, body }: ReceivedRequest): BulkItem[] {
  assert.equal(method, 'POST');
  const { pathname, searchParams } = new URL(path, 'http://host');
  assert.equal(pathname, '/metrics-snmp-default/_bulk');
  assert.match(searchParams.get('filter_path') ?? '', /^errors,items\.\*\.status,/);
  assert.equal(headers['content-type'], 'application/x-ndjson');
  const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  assert.ok(text.endsWith('\n'), 'the last line has no end');
  const lines = text.split('\n').slice(0, -1);
  assert.equal(lines.length % 2, 0, 'an action without a document');
  return lines.flatMap((line, i) => (i % 2 === 0 ? [readItem(line, lines[i + 1]!)] : []));
}

function readItem(actionLine: string, text: string): BulkItem {
  const action = JSON.parse(actionLine) as { readonly create: { readonly _id: string } };
  assert.deepEqual(Object.keys(action), ['create'], 'data streams take nothing but create');
  assert.deepEqual(Object.keys(action.create), ['_id']);
  const { _id: id } = action.create;
  assert.ok(id.length > 0 && Buffer.byteLength(id) <= 512);
  const document = JSON.parse(text) as Record<string, unknown>;
  assert.match(String(document['@timestamp']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.equal(Object.hasOwn(document, '_id'), false);
  return { id, document, text };
}
