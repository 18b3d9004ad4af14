import type { FlightContext } from '../request/flight-context.ts';
import type { TableState } from '../request/learned.ts';

/** Describes what a session has learned about its device, in sentences for a person. */
export function explainSession(session: Pick<FlightContext, 'peer' | 'learned' | 'limits'>): string[] {
  const { peer, learned, limits } = session;
  const sentences: string[] = [];
  if (peer.srttMs > 0) {
    const [trip, timeout] = [peer.srttMs, peer.timeoutMs(0)].map((ms) => ms.toFixed(1));
    sentences.push(
      `A round trip takes ${trip} ms; a request is repeated after ${timeout} ms without a reply.`,
    );
  } else {
    sentences.push('The device has not answered yet.');
  }
  sentences.push(`Up to ${peer.window} requests are outstanding at the same time.`);
  const { oidsPerGet, varbindsPerReply, missing } = learned;
  if (oidsPerGet.value !== undefined) {
    sentences.push(
      `The device accepts ${oidsPerGet.value} OIDs per request (configured: ${limits.maxOids}).`,
    );
  }
  if (varbindsPerReply.value !== undefined) {
    sentences.push(`More than ${varbindsPerReply.value} varbinds per reply were too many.`);
  }
  if (missing.length > 0) sentences.push(`The device does not have ${missing.join(', ')}.`);
  for (const [column, untilMs] of learned.silent.entries) {
    sentences.push(
      `The device answers, but not requests for ${column}: they are left out until ${new Date(untilMs).toISOString()}.`,
    );
  }
  for (const [table, untilMs] of learned.misordered.entries) {
    sentences.push(
      `Below ${table}, the OIDs of replies to GETBULK do not increase: it is read by GET until ${new Date(untilMs).toISOString()}.`,
    );
  }
  for (const table of learned.tables) sentences.push(...explainTable(table));
  return sentences;
}

function explainTable({ root, varbindBytes, maxRepetitions, maxVarbinds, isLooping }: TableState): string[] {
  const sentences: string[] = [];
  if (varbindBytes !== undefined) sentences.push(`Below ${root}, a varbind takes ${varbindBytes} octets.`);
  if (maxRepetitions !== undefined) {
    sentences.push(`Below ${root}, requests for more than ${maxRepetitions} repetitions failed.`);
  }
  if (maxVarbinds !== undefined) {
    sentences.push(`Below ${root}, replies with more than ${maxVarbinds} varbinds were too big.`);
  }
  if (isLooping)
    sentences.push(
      `Below ${root}, the OIDs of its replies do not increase: the table is read up to that point.`,
    );
  return sentences;
}
