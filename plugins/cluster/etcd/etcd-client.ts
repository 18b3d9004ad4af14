import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, type RequestOptions, request as requestHttps } from 'node:https';
import { createInterface } from 'node:readline';
import { readTlsFiles } from '../../../src/connection/index.ts';
import { defineErrors, type WaywiserError } from '../../../src/index.ts';
import { clusterErrors } from '../errors.ts';

const failure = defineErrors(clusterErrors);

export interface EtcdOptions {
  readonly endpoints: readonly string[];
  readonly username?: string | undefined;
  /** Called for each login, so that a rotated password counts. */
  readonly password?: (() => string) | undefined;
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  /** How long a request may take. */
  readonly timeoutMs: number;
}

/** A key with what etcd knows about it; integers of 64 bits are texts. */
export interface EtcdEntry {
  /** Base64. */
  readonly key: string;
  readonly value?: string;
  readonly create_revision?: string;
  readonly mod_revision?: string;
  readonly lease?: string;
}

export interface EtcdHeader {
  readonly cluster_id: string;
  readonly revision: string;
}

export interface WatchResult {
  readonly header: EtcdHeader;
  readonly created?: boolean;
  readonly canceled?: boolean;
  readonly events?: readonly { readonly type?: 'PUT' | 'DELETE'; readonly kv: EtcdEntry }[];
}

/** Errors of etcd, as gRPC numbers them. */
const codes = {
  /** It is not etcd that answers. */
  none: 0,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  permissionDenied: 7,
  resourceExhausted: 8,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** What etcd answered instead of a result. */
export class EtcdRefusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }

  get isNotFound(): boolean {
    return this.code === codes.notFound;
  }

  /** There is no etcd at this endpoint, or it has no leader: another one may be able to answer. */
  get isOutage(): boolean {
    const { none, unavailable, deadlineExceeded } = codes;
    return ([none, unavailable, deadlineExceeded] as number[]).includes(this.code);
  }

  get isFull(): boolean {
    return this.code === codes.resourceExhausted && /space exceeded/.test(this.message);
  }

  /** The user may not do this, or is none. */
  get isDenied(): boolean {
    const isLogin = this.code === codes.invalidArgument && /auth|user/.test(this.message);
    return isLogin || this.code === codes.permissionDenied || this.code === codes.unauthenticated;
  }

  /** The token of the login has expired, or etcd was restarted. */
  get isLoginNeeded(): boolean {
    return (
      this.code === codes.unauthenticated ||
      (this.code === codes.invalidArgument && /user name is empty/.test(this.message))
    );
  }
}

/** Speaks the JSON gateway of etcd 3.4 to 3.6. A request that one endpoint does not answer goes to the next one. */
export class EtcdClient {
  readonly #options: EtcdOptions;
  readonly #agents: { readonly http: HttpAgent; https: HttpsAgent };
  readonly #open = new Set<{ destroy(): unknown }>();
  #endpoint = 0;
  #token: string | undefined = undefined;
  readonly #onBack: () => void;
  #isSilent = false;

  /** `onBack` is called when etcd answers after it has not. */
  constructor(options: EtcdOptions, onBack: () => void = () => {}) {
    this.#options = options;
    this.#onBack = onBack;
    this.#agents = { http: new HttpAgent({ keepAlive: true }), https: this.#createHttps() };
  }

  /** Rejects with an `EtcdRefusal` when etcd answers with an error, and with CLUSTER_ETCD_UNREACHABLE when it does not answer. */
  async ask<Answer>(path: string, body: object): Promise<Answer> {
    let last: unknown;
    for (let attempt = 0; attempt < Math.max(2, this.#options.endpoints.length); attempt++) {
      try {
        const answer = await this.#askOnce<Answer>(path, body);
        if (this.#isSilent) {
          this.#isSilent = false;
          this.#onBack();
        }
        return answer;
      } catch (error) {
        if (error instanceof EtcdRefusal && !error.isOutage) {
          if (!error.isLoginNeeded || this.#options.username === undefined) throw error;
          this.#token = undefined;
        } else {
          this.#isSilent = true;
          this.useNext();
        }
        last = error;
      }
    }
    throw last instanceof EtcdRefusal && !last.isOutage ? last : this.#unreachable(last);
  }

  /** Reports changes until the returned function is called, or `onEnd` was. */
  watch(
    create: object,
    onResult: (result: WatchResult) => void,
    onEnd: (error: unknown) => void,
  ): () => void {
    let isOver = false;
    const end = (error: unknown) => {
      if (isOver) return;
      isOver = true;
      onEnd(error);
    };
    let stream: { destroy(): unknown } | undefined;
    const begin = async () => {
      await this.#login();
      const { response, request } = await this.#send('/v3/watch', { create_request: create });
      stream = request;
      if (isOver) request.destroy();
      if (response.statusCode !== 200) throw await readRefusal(response);
      const lines = createInterface({ input: response });
      lines.on('line', (line) => {
        if (isOver || line === '') return;
        const { result, error } = parseLine(line);
        if (result === undefined || result.canceled) end(error ?? new Error('etcd ended the watch'));
        else onResult(result);
      });
      lines.on('close', () => end(new Error('the connection was closed')));
      lines.on('error', end);
      response.on('error', end);
      request.on('error', end);
    };
    begin().catch((error) => {
      if (!(error instanceof EtcdRefusal)) this.useNext();
      else if (error.isLoginNeeded) this.#token = undefined;
      end(error);
    });
    return () => {
      isOver = true;
      stream?.destroy();
    };
  }

  close(): void {
    for (const each of this.#open) each.destroy();
    this.#agents.http.destroy();
    this.#agents.https.destroy();
  }

  async #askOnce<Answer>(path: string, body: object): Promise<Answer> {
    await this.#login();
    return this.#exchange<Answer>(path, body);
  }

  async #login(): Promise<void> {
    const { username, password } = this.#options;
    if (username === undefined || this.#token !== undefined) return;
    const { token } = await this.#exchange<{ token: string }>('/v3/auth/authenticate', {
      name: username,
      password: password?.() ?? '',
    });
    this.#token = token;
  }

  async #exchange<Answer>(path: string, body: object): Promise<Answer> {
    const { response } = await this.#send(path, body, this.#options.timeoutMs);
    if (response.statusCode !== 200) throw await readRefusal(response);
    const answer = parseAnswer(await readText(response));
    if (answer['error'] !== undefined) throw refusalOf(answer);
    return (answer['result'] ?? answer) as Answer;
  }

  #send(path: string, body: object, timeoutMs?: number) {
    const url = new URL(path, this.#options.endpoints[this.#endpoint]);
    const isTls = url.protocol === 'https:';
    const options: RequestOptions = {
      method: 'POST',
      agent: isTls ? this.#agents.https : this.#agents.http,
      headers: {
        'content-type': 'application/json',
        ...(this.#token === undefined ? {} : { authorization: this.#token }),
      },
    };
    return new Promise<{
      response: IncomingMessage;
      request: { destroy(): unknown; on: IncomingMessage['on'] };
    }>((resolve, reject) => {
      const request = (isTls ? requestHttps : requestHttp)(url, options);
      // One deadline for the whole exchange: a server that stalls in the middle is no better than a silent one.
      const timer =
        timeoutMs &&
        setTimeout(() => request.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
      this.#open.add(request);
      request.on('response', (response) => resolve({ response, request: request as never }));
      request.on('error', reject);
      request.on('close', () => {
        if (timer) clearTimeout(timer);
        this.#open.delete(request);
      });
      request.end(JSON.stringify(body));
    });
  }

  /** Sends the next request to the next endpoint. */
  useNext(): void {
    this.#endpoint = (this.#endpoint + 1) % this.#options.endpoints.length;
    this.#token = undefined;
    let renewed: HttpsAgent;
    try {
      renewed = this.#createHttps();
    } catch {
      // While only one of two renewed files is in place, the old ones stay in use.
      return;
    }
    this.#agents.https.destroy();
    this.#agents.https = renewed;
  }

  #createHttps(): HttpsAgent {
    return new HttpsAgent({ keepAlive: true, ...readTlsFiles(this.#options.tls, 'etcd') });
  }

  #unreachable(error: unknown): WaywiserError {
    const reason =
      error instanceof Error ? error.message || (error as NodeJS.ErrnoException).code : String(error);
    return failure('CLUSTER_ETCD_UNREACHABLE', {
      endpoints: this.#options.endpoints.map((each) => new URL(each).origin).join(', '),
      reason: reason ?? 'unknown',
    });
  }
}

/** Something between this member and etcd may have written the line. */
function parseLine(line: string): { readonly result?: WatchResult; readonly error?: unknown } {
  try {
    return JSON.parse(line);
  } catch (error) {
    return { error };
  }
}

async function readText(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

async function readRefusal(response: IncomingMessage): Promise<EtcdRefusal> {
  const text = await readText(response);
  try {
    return refusalOf(JSON.parse(text));
  } catch {
    return new EtcdRefusal(
      codes.none,
      `the answer has the status ${response.statusCode} and is not that of etcd`,
    );
  }
}

/** Streams answer with one line for one request. */
function parseAnswer(text: string): Readonly<Record<string, unknown>> {
  try {
    const answer: unknown = JSON.parse(text.split('\n', 1)[0]!);
    if (typeof answer === 'object' && answer !== null) return answer as Readonly<Record<string, unknown>>;
  } catch {
    // It is told like other answers that are no JSON object.
  }
  throw new EtcdRefusal(codes.none, 'the answer is no JSON object and not that of etcd');
}

/** etcd 3.4 says `code` and `error`, streams say `grpc_code` and `message` in an object of their own. */
function refusalOf(answer: Readonly<Record<string, unknown>>): EtcdRefusal {
  const { error } = answer;
  const told = typeof error === 'object' && error !== null ? (error as typeof answer) : answer;
  const code = Number(told['code'] ?? told['grpc_code'] ?? codes.none);
  return new EtcdRefusal(code, String(told['message'] ?? told['error'] ?? 'unknown error').slice(0, 200));
}
