import type { FlightContext } from '../request/flight-context.ts';
import type { TableState } from './learned.ts';

/** What a session has learned, as sentences for a person. */
export function explainSession(session: Pick<FlightContext, 'peer' | 'learned' | 'limits'>): string[] {
  const { peer, learned, limits } = session;
  const sentences: string[] = [];
  if (peer.srttMs > 0) {
    const [trip, patience] = [peer.srttMs, peer.timeoutMs(0)].map((ms) => ms.toFixed(1));
    sentences.push(
      `A round trip takes ${trip} ms; a reply is waited for ${patience} ms before asking again.`,
    );
  } else {
    sentences.push('It has not answered yet.');
  }
  sentences.push(`Up to ${peer.window} requests are outstanding at once.`);
  const { oidsPerGet, varbindsPerReply, missing } = learned;
  if (oidsPerGet.value !== undefined) {
    sentences.push(`It takes ${oidsPerGet.value} OIDs a request (configured: ${limits.maxOids}).`);
  }
  if (varbindsPerReply.value !== undefined) {
    sentences.push(`More than ${varbindsPerReply.value} varbinds a reply have been too many.`);
  }
  if (missing.length > 0) sentences.push(`It has no ${missing.join(', ')}.`);
  for (const table of learned.tables) sentences.push(...explainTable(table));
  return sentences;
}

function explainTable({ root, varbindBytes, maxRepetitions, isLooping }: TableState): string[] {
  const sentences: string[] = [];
  if (varbindBytes !== undefined) sentences.push(`Below ${root} a varbind takes ${varbindBytes} octets.`);
  if (maxRepetitions !== undefined) {
    sentences.push(`Below ${root} more than ${maxRepetitions} repetitions a request have failed.`);
  }
  if (isLooping) sentences.push(`Below ${root} its answers do not increase: it is read up to there.`);
  return sentences;
}
