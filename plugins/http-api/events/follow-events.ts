import { inputProblem, stoppingProblem } from '../../../src/http/index.ts';
import { access, Type } from '../../../src/index.ts';
import type { StreamEventName } from '../../../src/model/index.ts';
import type { RoutePlugin } from '../../http-routes/service.ts';
import type { ApiContext } from '../api-context.ts';
import { MemberEvents } from '../fleet/member-events.ts';
import { isForMember } from '../fleet/member-scope.ts';
import { problem } from '../problem/problem.ts';
import { callerOf } from '../security/caller.ts';
import { requestIdHeader } from '../security/request-id.ts';
import { EventBroadcast } from './event-broadcast.ts';
import { EventJournal, isStreamEventName, type SentEvent } from './event-journal.ts';
import { EventStream, streamHeaders } from './event-stream.ts';

/** Enough for a client that reconnects within some seconds, even while many devices are polled. */
const keptEvents = 2000;
const maxClients = 1000;

const schema = {
  operationId: 'followEvents',
  tags: ['collector'],
  summary: 'Events as they happen (server-sent events)',
  description:
    'Each event has an id, the time at which it happened, a name and a payload in JSON. In a cluster, events are those of all members, and each names its member; ?scope=member is for those of the member that is asked. A client that reconnects with Last-Event-ID receives the events that it missed and that are still kept. When some are not, the first event is events.missed; Last-Event-ID 0 is for all that are kept. The data of each event has its time. A client that does not read is disconnected.',
  querystring: Type.Object(
    {
      name: Type.Optional(
        Type.String({
          maxLength: 500,
          description: 'names separated by commas, such as device.state,poll.failed',
        }),
      ),
      device: Type.Optional(Type.String({ maxLength: 300, description: 'the name of a device' })),
    },
    { additionalProperties: false },
  ),
  headers: Type.Object({ 'last-event-id': Type.Optional(Type.String({ pattern: '^\\d{1,16}$' })) }),
  response: {
    200: { description: 'The events.', content: { 'text/event-stream': { schema: Type.String() } } },
  },
};

/** Sends all events of the event map over HTTP. */
export function followEvents({ events, log, stopping, now, shards }: ApiContext): RoutePlugin {
  const open = new Set<EventStream>();
  const { fleet } = shards;
  const journal = new EventJournal(keptEvents, now, fleet);
  journal.listen(events);
  const others =
    fleet && new MemberEvents({ fleet, log, onEvent: (member, event) => journal.addOf(member, event) });
  events.on('member.joined', () => others?.follow());
  const broadcast = new EventBroadcast(now);
  journal.subscribe((event) => broadcast.add(event));
  const close = () => {
    others?.close();
    broadcast.flush();
    for (const stream of open) stream.close();
  };
  // The journal may receive the event `collector.stopping` after this signal.
  stopping.addEventListener('abort', () => queueMicrotask(close));
  let cut = 0;

  return async (app) => {
    app.get('/api/v1/events', { config: access('read'), schema }, (request, reply) => {
      const { name, device } = request.query;
      const names = name === undefined ? undefined : parseNames(name);
      if (stopping.aborted) throw stoppingProblem();
      if (open.size >= maxClients) throw problem('HTTP_OVERLOADED', {});
      const isForOne = isForMember(request);
      const isWanted = (event: SentEvent) =>
        (isForOne ? event.isOwn : event.isOfFleet) &&
        (event.name === 'events.missed' ||
          ((names === undefined || names.has(event.name)) &&
            (device === undefined || event.device === device)));
      if (request.method === 'HEAD') {
        reply.headers(streamHeaders).send('');
        return;
      }
      const key = JSON.stringify([names === undefined ? null : [...names].sort(), device ?? null, isForOne]);

      reply.hijack();
      const { raw } = reply;
      const { id: requestId } = request;
      raw.setHeader(requestIdHeader, requestId);
      const onCut = () =>
        log.warn({ requestId, cut: ++cut }, 'An event client did not read its events. It was disconnected.');
      const stream = new EventStream(raw, onCut, callerOf(request).isCurrent);
      open.add(stream);
      if (!isForOne && others?.isFollowing === false) journal.addGapOfOthers();
      // Gathered events are already in the journal. Flushing them first keeps the new client from receiving them twice.
      broadcast.flush();
      const lastId = request.headers['last-event-id'];
      const missed = lastId === undefined ? [] : journal.after(Number(lastId)).filter(isWanted);
      if (missed.length > 0) stream.write(Buffer.from(missed.map(({ frame }) => frame).join('')));
      const leave = broadcast.join(stream, { key, isWanted });
      const unwant = isForOne ? undefined : others?.want(names);
      raw.on('close', () => {
        leave();
        unwant?.();
        open.delete(stream);
      });
    });
  };
}

function parseNames(text: string): ReadonlySet<StreamEventName> {
  const names = text.split(',');
  const unknown = names.find((name) => !isStreamEventName(name));
  if (unknown === undefined) return new Set(names.filter(isStreamEventName));
  throw inputProblem(`there is no event ${JSON.stringify(unknown)}`);
}
