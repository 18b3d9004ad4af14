import type { FollowedEvent } from '../../../../src/client/index.ts';
import { countOf as count } from '../parts/count-text.ts';
import { showNumber } from '../parts/number-text.ts';
import { StateBadge } from '../parts/state-badge.tsx';
import { DeviceText } from '../parts/texts.tsx';
import { formatPlace } from '../state/route-text.ts';

/** An event as a sentence, with a link to its device. `others`: how many more devices did the same. */
export function EventSentence({
  event,
  others = 0,
}: {
  readonly event: FollowedEvent;
  readonly others?: number;
}) {
  return (
    <>
      {'device' in event.data && (
        <>
          <a href={formatPlace(['device', event.data.device.name])}>
            <DeviceText text={event.data.device.name} max={40} />
          </a>{' '}
        </>
      )}
      {others > 0 ? (
        <>
          and {count(others, 'other device')} <SharedWords event={event} />
        </>
      ) : (
        <Words event={event} />
      )}
    </>
  );
}

/** What several devices did. */
function SharedWords({ event }: { readonly event: FollowedEvent }) {
  switch (event.name) {
    case 'device.state':
      return <StateBadge state={event.data.to} />;
    case 'device.added':
    case 'device.changed':
    case 'device.removed':
      return <>{`were ${event.name.slice(7)} (${event.data.cause})`}</>;
    case 'discovery.completed':
      return <>{`were discovered ${causeWords(event.data.cause)}`}</>;
    default:
      return <>could not be discovered</>;
  }
}

/** Why a discovery took place. */
function causeWords(cause: string): string {
  return cause === 'initial' ? 'for the first time' : `(${cause})`;
}

function Words({ event }: { readonly event: FollowedEvent }) {
  switch (event.name) {
    case 'device.state':
      return (
        <>
          <StateBadge state={event.data.to} />: <DeviceText text={event.data.why} max={300} />
        </>
      );
    case 'device.added':
    case 'device.changed':
    case 'device.removed':
      return <>{`was ${event.name.slice(7)} (${event.data.cause})`}</>;
    case 'device.renumbered':
      return <>{`renumbered ${count(event.data.count, 'row')} of ${event.data.record}`}</>;
    case 'device.misordered':
      return <>{`sends OIDs of ${event.data.table} that do not increase`}</>;
    case 'discovery.started':
      return <>{`is being discovered ${causeWords(event.data.cause)}`}</>;
    case 'discovery.completed':
      return (
        <>{`was discovered ${causeWords(event.data.cause)}: ${describeChange(event.data.inventory, event.data.cause === 'initial')}`}</>
      );
    case 'discovery.failed':
      return (
        <>
          could not be discovered: <DeviceText text={event.data.message} max={300} />
        </>
      );
    case 'definitions.changed':
      return (
        <>{`Generation ${event.data.generation} of the definitions runs; ${count(event.data.affectedDevices.length, 'device')} affected`}</>
      );
    case 'definitions.rejected':
      return <>{`Definitions were not applied: ${count(event.data.problems.length, 'problem')}`}</>;
    case 'trap.received':
      return (
        <>
          sent <DeviceText text={event.data.name} max={60} /> <StateBadge state={event.data.severity} />{' '}
          {event.data.message !== undefined && <DeviceText text={event.data.message} max={300} />}
        </>
      );
    case 'trap.dropped':
      return (
        <>{`${count(event.data.count, 'notification')} from ${event.data.source} dropped: ${event.data.cause}`}</>
      );
    default:
      return <CollectorWords event={event} />;
  }
}

/** What the collector itself did. */
function CollectorWords({ event }: { readonly event: FollowedEvent }) {
  switch (event.name) {
    case 'output.stalled':
      return (
        <>{`Output ${event.data.output} accepts nothing: ${event.data.why}. ${event.data.queuedBatches} batches wait.`}</>
      );
    case 'output.recovered':
      return <>{`Output ${event.data.output} accepts batches again`}</>;
    case 'output.dropped':
      return (
        <>{`Output ${event.data.output} lost ${count(event.data.batches, 'batch', 'batches')}: ${event.data.why}`}</>
      );
    case 'scan.started':
      return (
        <>{`Scan of ${event.data.networks.join(', ')} began (${event.data.cause}): ${count(event.data.addresses, 'address', 'addresses')}`}</>
      );
    case 'scan.completed':
      return (
        <>{`Scan of ${event.data.networks.join(', ')} found ${count(event.data.found, 'new device')} in ${showNumber(event.data.durationMs, 'ms')}`}</>
      );
    case 'scan.failed':
      return <>{`Scan of ${event.data.networks.join(', ')} ended early: ${event.data.message}`}</>;
    case 'events.missed':
      return (
        <>{`${event.data.count === undefined ? 'Events' : count(event.data.count, 'event')} before ${event.data.until} ${event.data.count === 1 ? 'is' : 'are'} missing here: ${event.data.why}`}</>
      );
    case 'collector.ready':
      return <>The collector is ready</>;
    case 'collector.stopping':
      return <>{`The collector stops: ${event.data.why}`}</>;
    case 'shard.gained':
      return (
        <>{`${memberOf(event)} took over ${count(event.data.shards, 'shard')}, with the devices in them`}</>
      );
    case 'shard.lost':
      return <>{`${memberOf(event)} gave up ${count(event.data.shards, 'shard')}: ${event.data.why}`}</>;
    case 'member.joined':
      return <>{`Member ${event.data.member} joined`}</>;
    case 'member.left':
      return <>{`Member ${event.data.member} left`}</>;
    default:
      return <DeviceText text={`${event.name} ${JSON.stringify(event.data)}`} />;
  }
}

/** In a cluster an event says which member it comes from. */
function memberOf({ member }: FollowedEvent): string {
  return member === undefined ? 'This member' : `Member ${member}`;
}

function describeChange(
  {
    objects,
    instances,
    added,
    removed,
  }: {
    readonly objects: number;
    readonly instances: number;
    readonly added: Readonly<Record<string, number>>;
    readonly removed: Readonly<Record<string, number>>;
  },
  isFirst: boolean,
): string {
  const all = `${count(instances, 'instance')} of ${count(objects, 'object')}`;
  if (isFirst) return all;
  const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((a, b) => a + b, 0);
  const [more, less] = [sum(added), sum(removed)];
  const change = more + less === 0 ? 'nothing new' : `${more} added, ${less} removed`;
  return `${all}, ${change}`;
}
