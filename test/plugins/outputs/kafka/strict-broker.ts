import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { type ReceivedBatch, type ReceivedRecord, readRecordBatch } from './record-batch.ts';
import { WireReader } from './wire-reader.ts';
import { WireWriter } from './wire-writer.ts';

const partitions = 3;

/** How a broker refuses, once or always. The codes are those of the protocol. */
export interface BrokerMood {
  /** The code of the answer to Produce, by the received records. */
  refuse?: (records: readonly ReceivedRecord[]) => number;
  /** Closes the connection instead of the next answers to Produce, after storing the records. */
  cutAnswers: number;
  /** Accepts everything and answers nothing, not even a close. */
  hangs: boolean;
}

/** The versions of the requests that this broker accepts. */
const versions = {
  produce: 9,
  metadata: 12,
  handshake: 1,
  apiVersions: 3,
  initProducerId: 4,
  authenticate: 2,
};
const keys = {
  produce: 0,
  metadata: 3,
  handshake: 17,
  apiVersions: 18,
  initProducerId: 22,
  authenticate: 36,
};
const code = { none: 0, unknownTopic: 3, outOfOrder: 45, badLogin: 58 };

/**
 * One broker of a cluster with one topic. Every octet of a request is read as the protocol guide has it; what does not fit
 * is in `faults`, and ends the connection. Idempotence is kept: a sequence that comes again is not stored again, a gap is an error.
 */
export class StrictBroker {
  readonly mood: BrokerMood = { cutAnswers: 0, hangs: false };
  readonly faults: string[] = [];
  readonly stored: ReceivedRecord[][] = Array.from({ length: partitions }, () => []);
  readonly batches: ReceivedBatch[] = [];
  readonly topic: string;
  readonly #server: Server;
  readonly #login: string | undefined;
  readonly #sockets = new Set<Socket>();
  readonly #sequences = new Map<string, number>();
  #producers = 0n;
  port = 0;

  /** With `login` (`user\0password`), SASL PLAIN comes before everything else. */
  constructor({ topic = 'snmp', login, tls }: { topic?: string; login?: string; tls?: TlsOptions } = {}) {
    this.topic = topic;
    this.#login = login;
    const serve = (socket: Socket) => this.#serve(socket);
    this.#server =
      tls === undefined ? createServer({ allowHalfOpen: true }, serve) : createTlsServer(tls, serve);
    this.#server.on('tlsClientError', () => {});
  }

  async start(): Promise<this> {
    this.#server.listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    if (typeof address === 'object' && address !== null) this.port = address.port;
    return this;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, 'close');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    const session = { isTrusted: this.#login === undefined };
    let bytes = Buffer.alloc(0);
    socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket));
    socket.on('end', () => this.mood.hangs || socket.end());
    socket.on('data', (chunk) => {
      if (this.mood.hangs) return;
      bytes = Buffer.concat([bytes, chunk]);
      try {
        while (bytes.length >= 4 && bytes.length >= 4 + bytes.readInt32BE()) {
          const size = bytes.readInt32BE();
          const request = bytes.subarray(4, 4 + size);
          bytes = bytes.subarray(4 + size);
          this.#answer(request, session, socket);
        }
      } catch (error) {
        this.faults.push(error instanceof Error ? error.message : String(error));
        socket.destroy();
      }
    });
  }

  #answer(bytes: Buffer, session: { isTrusted: boolean }, socket: Socket): void {
    const request = new WireReader(bytes);
    const [key, version, correlation] = [request.int16(), request.int16(), request.int32()];
    assert.match(request.nullableString() ?? '', /^waywiser-/, 'client id');
    const name = Object.entries(keys).find(([, each]) => each === key)?.[0] as keyof typeof keys;
    assert.equal(version, versions[name], `version of request ${key}`);
    const isFlexible = name !== 'handshake';
    if (isFlexible) request.noTags();
    const isOpen = name === 'apiVersions' || name === 'handshake' || name === 'authenticate';
    assert.ok(session.isTrusted || isOpen, `${name} before a login`);
    const answer = new WireWriter().int32(correlation);
    // Answers to ApiVersions have the old header, so that old clients can read them.
    if (isFlexible && name !== 'apiVersions') answer.noTags();
    const isWanted = this[name](request, answer, session);
    request.end();
    if (!isWanted) return void socket.destroy();
    const size = Buffer.alloc(4);
    size.writeInt32BE(answer.bytes.length);
    socket.write(Buffer.concat([size, answer.bytes]));
  }

  apiVersions(request: WireReader, answer: WireWriter): boolean {
    assert.ok(request.compactString().length > 0, 'name of the software');
    assert.ok(request.compactString().length > 0, 'its version');
    request.noTags();
    answer.int16(code.none).compactArray(Object.keys(keys), (name) => {
      const version = versions[name as keyof typeof versions];
      answer
        .int16(keys[name as keyof typeof keys])
        .int16(version)
        .int16(version)
        .noTags();
    });
    answer.int32(0).noTags();
    return true;
  }

  handshake(request: WireReader, answer: WireWriter): boolean {
    assert.equal(request.nullableString(), 'PLAIN');
    answer.int16(code.none).int32(1).int16(5).raw(Buffer.from('PLAIN'));
    return true;
  }

  authenticate(request: WireReader, answer: WireWriter, session: { isTrusted: boolean }): boolean {
    session.isTrusted = request.compactBytes().toString() === `\0${this.#login}`;
    request.noTags();
    answer.int16(session.isTrusted ? code.none : code.badLogin).compactString(undefined);
    answer.unsignedVarint(1).int64(0n).noTags();
    return true;
  }

  metadata(request: WireReader, answer: WireWriter): boolean {
    const asked = request.compactArray(() => {
      assert.deepEqual(request.take(16), Buffer.alloc(16), 'topics by name');
      const name = request.compactString();
      request.noTags();
      return name;
    });
    assert.equal(request.boolean(), false, 'topics are not made');
    request.boolean();
    request.noTags();
    answer.int32(0).compactArray([this.port], (port) => {
      answer.int32(1).compactString('127.0.0.1').int32(port).compactString(undefined).noTags();
    });
    answer
      .compactString('cluster')
      .int32(1)
      .compactArray(asked, (name) => {
        const isKnown = name === this.topic;
        answer.int16(isKnown ? code.none : code.unknownTopic).compactString(name);
        answer.raw(Buffer.alloc(16, 7)).int8(0);
        answer.compactArray(isKnown ? this.stored : [], (_, partition) => {
          answer.int16(code.none).int32(partition).int32(1).int32(0);
          for (let list = 0; list < 3; list++) answer.unsignedVarint(1);
          answer.noTags();
        });
        answer.int32(-2_147_483_648).noTags();
      });
    answer.noTags();
    return true;
  }

  initProducerId(request: WireReader, answer: WireWriter): boolean {
    assert.equal(request.compactNullableString(), undefined, 'no transactions');
    request.int32();
    request.int64();
    request.int16();
    request.noTags();
    answer
      .int32(0)
      .int16(code.none)
      .int64(++this.#producers)
      .int16(0)
      .noTags();
    return true;
  }

  produce(request: WireReader, answer: WireWriter): boolean {
    assert.equal(request.compactNullableString(), undefined, 'no transactions');
    assert.equal(request.int16(), -1, 'acks of all');
    assert.ok(request.int32() > 0, 'timeout');
    const results = request.compactArray(() => {
      assert.equal(request.compactString(), this.topic);
      const answers = request.compactArray(() => {
        const partition = request.int32();
        const batch = readRecordBatch(request.compactBytes());
        request.noTags();
        return { partition, error: this.#store(partition, batch) };
      });
      request.noTags();
      return answers;
    });
    request.noTags();
    answer.compactArray(results, (each) => {
      answer.compactString(this.topic).compactArray(each, ({ partition, error }) => {
        answer.int32(partition).int16(error).int64(0n).int64(-1n).int64(0n);
        answer.unsignedVarint(1).compactString(undefined).noTags();
      });
      answer.noTags();
    });
    answer.int32(0).noTags();
    return this.mood.cutAnswers-- <= 0;
  }

  #store(partition: number, batch: ReceivedBatch): number {
    const { producerId, producerEpoch, baseSequence, records } = batch;
    assert.ok(producerId > 0n && producerId <= this.#producers && producerEpoch === 0, 'a known producer');
    const error = this.mood.refuse?.(records) ?? code.none;
    if (error !== code.none) return error;
    const key = `${producerId} ${partition}`;
    const next = this.#sequences.get(key) ?? 0;
    if (baseSequence < next) return code.none;
    if (baseSequence > next) return code.outOfOrder;
    this.#sequences.set(key, next + records.length);
    this.stored[partition]!.push(...records);
    this.batches.push(batch);
    return code.none;
  }
}
