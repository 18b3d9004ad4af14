import { berTag } from '../../../snmp/codec/ber-tag.ts';
import { BerWriter } from '../../../snmp/codec/ber-writer.ts';
import type { DeviceView } from '../device-view.ts';
import type { ReplayKnobs } from '../replay-knobs.ts';
import { PduResponder } from './pdu-responder.ts';
import { ReplayRequest } from './replay-request.ts';
import { RequestReader } from './request-reader.ts';

/** Why a datagram was not answered. */
export type Refusal = 'malformed' | 'version' | 'community' | 'pdu' | 'security' | 'silent';

/** Octets of a v1 or v2c message around its varbinds and its community: every header at its longest. */
const envelopeBytes = 36;

/** Answers datagrams of SNMPv1 and v2c. */
export class CommunityResponder {
  readonly #community: Buffer;
  readonly #reader = new RequestReader();
  readonly #request = new ReplayRequest();
  readonly #writer = new BerWriter();
  readonly #pdus = new PduResponder(this.#writer);

  constructor(community: string) {
    this.#community = Buffer.from(community);
  }

  answer(datagram: Buffer, view: DeviceView, knobs: ReplayKnobs): Buffer | Refusal {
    const reader = this.#reader.open(datagram);
    const outer = reader.enter(berTag.sequence);
    const version = reader.readInteger(berTag.integer);
    const community = reader.readOctets(berTag.octetString);
    this.#request.read(reader);
    reader.leaveMessage(outer);
    if (reader.fault !== undefined) return 'malformed';
    if (version !== 0 && version !== 1) return 'version';
    if (!community.equals(this.#community)) return 'community';
    const limits = {
      maxBytes: knobs.maxReplyBytes - envelopeBytes - community.length,
      maxVarbinds: knobs.maxReplyVarbinds,
    };
    if (!this.#pdus.answer(this.#request, version === 0, view, limits)) return view.hangs ? 'silent' : 'pdu';
    const writer = this.#writer;
    writer.octets(berTag.octetString, community);
    writer.integer(version);
    writer.header(berTag.sequence, 0);
    return writer.toBuffer();
  }
}
