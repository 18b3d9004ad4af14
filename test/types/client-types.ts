/** Compiled by `npm run types`: the client takes and answers what the API's description says. */
import type {
  AnswerBody,
  ApiClient,
  Device,
  DeviceList,
  FollowedEvent,
  OperationAnswer,
  Problem,
} from '../../src/client/index.ts';

/** Is `A` exactly `B`? Written so that `any` is equal to nothing but itself. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function expectSame<A, B>(same: Same<A, B>): void;
declare const client: ApiClient;

export async function calls(): Promise<void> {
  const applied = await client.call('applyDefinitions');
  expectSame<typeof applied.status, 200>(true);
  expectSame<typeof applied.body.generation, number>(true);
  await client.call('applyDefinitions', { query: { dry_run: true } });
  // @ts-expect-error a value of another type
  await client.call('applyDefinitions', { query: { dry_run: 'yes' } });
  // @ts-expect-error a query that the operation does not have
  await client.call('applyDefinitions', { query: { force: true } });
  // @ts-expect-error an operation that does not exist
  await client.call('applyDefinition');

  const { body: device } = await client.call('getDevice', { path: { ip: '192.0.2.1', port: '161' } });
  expectSame<typeof device.state, 'unknown' | 'up' | 'suspect' | 'down' | 'recovering'>(true);
  // @ts-expect-error a part of the path is missing
  await client.call('getDevice', { path: { ip: '192.0.2.1' } });
  // @ts-expect-error the path is missing
  await client.call('getDevice');

  const started = await client.call('rediscoverDevice', { body: { ip: '192.0.2.1', port: 161 } });
  expectSame<(typeof started)['status'], 200 | 202>(true);
  if (started.status === 200) started.body.discovery.progress.objects.toFixed();
  // @ts-expect-error only the other answer has it
  else started.body.discovery.progress.objects.toFixed();
  // @ts-expect-error the body lacks a field
  await client.call('rediscoverDevice', { body: { ip: '192.0.2.1' } });

  for await (const event of client.events({ names: ['device.state', 'poll.failed'] })) {
    expectSame<typeof event.name, 'device.state' | 'poll.failed'>(true);
    if (event.name === 'device.state') event.data.to.charAt(0);
    // @ts-expect-error another event has another payload
    else event.data.to.charAt(0);
  }
  // @ts-expect-error an event that does not exist
  client.events({ names: ['device.stat'] });
}

export function shapes(event: FollowedEvent<'discovery.started'>): void {
  expectSame<typeof event.data.id, string>(true);
  expectSame<AnswerBody<'listDevices'>, DeviceList>(true);
  expectSame<DeviceList['devices'][number], Device>(true);
  expectSame<Problem['code'], string>(true);
  expectSame<OperationAnswer<'removeDevice'>['body'], undefined>(true);
  expectSame<AnswerBody<'listSlowest'>['devices'][number]['roundTripMs'], number>(true);
}
