import { isDeepStrictEqual } from 'node:util';
import {
  type CheckedSet,
  checkSet,
  createCheckMemory,
  type DefinitionSections,
  findSecretProblems,
  type ReadFiles,
  sectionsOf,
} from '../../../src/definitions/index.ts';
import type { SecretSources } from '../../../src/index.ts';
import { DefinitionReader } from '../reading/definition-reader.ts';
import type { DefinitionSources } from '../reading/definition-roots.ts';
import { packSecrets, unpackSecrets } from '../snapshot/packed-secrets.ts';
import { packSnapshot, unpackSnapshot } from '../snapshot/packed-snapshot.ts';
import { entriesWithSecrets, fillSecrets } from '../snapshot/plain-secrets.ts';
import { readSnapshot, writeSnapshot } from '../snapshot/snapshot-file.ts';
import { reportCandidate } from './candidate-report.ts';
import { type DeltaPiece, findDelta } from './definition-delta.ts';
import type { DiscoveredDevices } from './discovered-devices.ts';
import type { CandidateReport, UnpackedReport, WorkerReply, WorkerRequest } from './worker-messages.ts';

/** The work of the thread: reads, checks and compares definitions, hands them over, and saves them. */
export class DefinitionEngine {
  readonly #reader = new DefinitionReader();
  readonly #memory = createCheckMemory();
  readonly #env: SecretSources['env'];
  #accepted: Candidate | undefined;
  #candidate: Candidate | undefined;
  /** The fingerprint of what the disk has. */
  #saved: string | undefined;
  #files: ReadFiles['files'] = [];
  #delta: Iterator<DeltaPiece, void> | undefined;

  constructor(env: SecretSources['env']) {
    this.#env = env;
  }

  /** Reads every file and makes the set the candidate. */
  read(
    sources: DefinitionSources,
    secretsDirectory: string | undefined,
    found?: DiscoveredDevices,
  ): CandidateReport {
    const read = this.#reader.read(sources);
    this.#files = read.files;
    return this.#consider(read, secretsDirectory, { isFromFiles: true, found });
  }

  /** Makes the snapshot the candidate; undefined when there is none. Its plain-text secrets are `packedSecrets`, or those of the files read before. */
  restore(
    path: string,
    secretsDirectory: string | undefined,
    packedSecrets?: Uint8Array,
  ): CandidateReport | undefined {
    const snapshot = readSnapshot(path);
    if (snapshot === undefined) return undefined;
    const read = this.#candidate;
    if (read?.set.fingerprint === snapshot.fingerprint) {
      this.#candidate = { ...read, isFromFiles: false };
      return reportCandidate(this.#accepted?.set, read.set, undefined);
    }
    const secrets =
      packedSecrets === undefined ? entriesWithSecrets(this.#files) : unpackSecrets(packedSecrets);
    const files = fillSecrets(snapshot.files, secrets);
    const restored = { ...snapshot, files, problems: [], places: new Map() };
    return this.#consider(restored, secretsDirectory, { isFromFiles: false });
  }

  /** The set that was read last, or the one in use. */
  pack(isInUse: boolean): Uint8Array {
    const candidate = isInUse ? undefined : this.#candidate;
    const { files = [], fingerprint = '' } = (candidate ?? this.#accepted)?.set ?? {};
    return packSnapshot({ generation: 0, fingerprint, files });
  }

  /** Makes a packed set of another collector the candidate. */
  unpack(packed: Uint8Array, sources: DefinitionSources, directory: string | undefined): UnpackedReport {
    const own = this.#reader.read(sources);
    const snapshot = unpackSnapshot(packed);
    const isLikeFiles = own.fingerprint === snapshot.fingerprint;
    // Of the same files, those that were read here: what they compile to may be known.
    const files = isLikeFiles ? own.files : fillSecrets(snapshot.files, entriesWithSecrets(own.files));
    const { compiledBefore } = own;
    const read = { ...snapshot, files, problems: [], places: new Map(), compiledBefore };
    return {
      ...this.#consider(read, directory, { isFromFiles: true }),
      isLikeFiles,
    };
  }

  /** The next piece of what turns the accepted set into the candidate; undefined after the last. */
  nextPiece(): DeltaPiece | undefined {
    const candidate = this.#candidate;
    if (candidate === undefined) return undefined;
    this.#delta ??= findDelta(this.#accepted?.sections, candidate.sections);
    const { value, done } = this.#delta.next();
    return done === true ? undefined : (value ?? undefined);
  }

  /** The candidate is in use from now on. Saves it to disk when its files differ from the saved ones. Returns the secrets that the disk does not have. */
  accept(generation: number, snapshotFile: string): Uint8Array {
    const candidate = this.#candidate;
    if (candidate === undefined) throw new Error('there is no set to accept');
    this.#accepted = candidate;
    this.#candidate = undefined;
    this.#delta = undefined;
    const { files, fingerprint } = candidate.set;
    if (candidate.isFromFiles && this.#saved !== fingerprint) {
      writeSnapshot(snapshotFile, { generation, fingerprint, files });
    }
    this.#saved = fingerprint;
    return packSecrets(files);
  }

  #consider(
    read: ReadFiles,
    directory: string | undefined,
    { isFromFiles, found }: { readonly isFromFiles: boolean; readonly found?: DiscoveredDevices | undefined },
  ): CandidateReport {
    const secrets = { env: this.#env, directory };
    const running = this.#accepted;
    if (running !== undefined && isUnchangedSet(running.set, read, secrets)) {
      this.#candidate = running;
      return reportCandidate(running.set, running.set, found);
    }
    const set = checkSet(read, secrets, this.#memory);
    this.#candidate = { set, sections: sectionsOf(set), isFromFiles };
    this.#delta = undefined;
    return reportCandidate(this.#accepted?.set, set, found);
  }
}

/** What the engine replies to a request. Never throws: the reply to a request that failed is the error's text. */
export function answerRequest(engine: DefinitionEngine, request: WorkerRequest): WorkerReply {
  try {
    return { value: valueFor(engine, request) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function valueFor(engine: DefinitionEngine, request: WorkerRequest): unknown {
  switch (request.type) {
    case 'read':
      return engine.read(request.sources, request.secretsDirectory, request.found);
    case 'restore':
      return engine.restore(request.snapshot, request.secretsDirectory, request.secrets);
    case 'pack':
      return engine.pack(request.isInUse);
    case 'unpack':
      return engine.unpack(request.packed, request.sources, request.secretsDirectory);
    case 'next':
      return engine.nextPiece();
    case 'accept':
      return engine.accept(request.generation, request.snapshot);
  }
}

/** Whether names and bytes are the same, the same files cannot be read, and secrets still have the same problems. */
function isUnchangedSet(set: CheckedSet, read: ReadFiles, secrets: SecretSources): boolean {
  if (set.fingerprint === '' || set.fingerprint !== read.fingerprint) return false;
  if (!isDeepStrictEqual(set.readProblems, read.problems)) return false;
  return isDeepStrictEqual(findSecretProblems(set.raw, secrets), set.secretProblems);
}

interface Candidate {
  readonly set: CheckedSet;
  readonly sections: DefinitionSections;
  /** False for a candidate from a snapshot. */
  readonly isFromFiles: boolean;
}
