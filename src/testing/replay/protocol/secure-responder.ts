import { BerWriter } from '../../../snmp/codec/ber-writer.ts';
import type { AuthoritativeEngine } from '../../../snmp/usm/engine/authoritative-engine.ts';
import type { DeviceView } from '../device-view.ts';
import type { ReplayKnobs } from '../replay-knobs.ts';
import type { Refusal } from './community-responder.ts';
import { PduResponder } from './pdu-responder.ts';
import { ReplayRequest } from './replay-request.ts';
import { RequestReader } from './request-reader.ts';

/** Octets of a v3 message around its varbinds, its names and two engine ids: every header and MAC at its longest. */
const envelopeBytes = 180;

/** Answers datagrams of SNMPv3. */
export class SecureResponder {
  readonly #engine: AuthoritativeEngine;
  readonly #reader = new RequestReader();
  readonly #request = new ReplayRequest();
  readonly #writer = new BerWriter();
  readonly #pdus = new PduResponder(this.#writer);

  constructor(engine: AuthoritativeEngine) {
    this.#engine = engine;
  }

  /** `viewOf` returns the view of the device for each context. */
  answer(datagram: Buffer, viewOf: (context: string) => DeviceView, knobs: ReplayKnobs): Buffer | Refusal {
    const received = this.#engine.receive(datagram);
    if (received.kind === 'dropped') return 'security';
    if (received.kind === 'report') return received.reply;
    const reader = this.#reader.open(received.octets, received.start, received.end);
    this.#request.read(reader);
    if (reader.fault !== undefined) return 'malformed';
    const nameBytes = received.userName.length + received.contextName.length;
    const limits = {
      maxBytes: knobs.maxReplyBytes - envelopeBytes - nameBytes - 2 * received.contextEngineId.length,
      maxVarbinds: knobs.maxReplyVarbinds,
    };
    const view = viewOf(received.contextName.toString());
    if (!this.#pdus.answer(this.#request, false, view, limits)) return view.hangs ? 'silent' : 'pdu';
    return this.#engine.respond(received, this.#writer.view());
  }
}
