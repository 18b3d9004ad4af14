import type { EtcdClient, EtcdEntry } from './etcd-client.ts';

interface RangeAnswer {
  readonly kvs?: readonly EtcdEntry[];
}

/** Well below etcd's limit of 1.5 MiB for a request, in which base64 adds a third. */
const chunkBytes = 512 * 1024;

/** Large values by name, in chunks. The number of chunks is written last: without it there is no value. */
export class EtcdContents {
  readonly #client: EtcdClient;
  readonly #prefix: string;

  constructor(client: EtcdClient, prefix: string) {
    this.#client = client;
    this.#prefix = prefix;
  }

  /** Replaces what is damaged, and removes all other values except those in `kept`. */
  async save(name: string, content: Uint8Array, kept: readonly string[]): Promise<void> {
    if (!(await this.load(name))?.equals(content)) {
      const chunks = Math.ceil(content.length / chunkBytes);
      for (let i = 0; i < chunks; i++)
        await this.#put(`${name}/${i}`, content.subarray(i * chunkBytes, (i + 1) * chunkBytes));
      await this.#put(name, Buffer.from(String(chunks)));
    }
    for (const other of await this.#listNames()) {
      if (other === name || kept.includes(other)) continue;
      await this.#client.ask('/v3/kv/deleterange', { key: this.#key(other) });
      // `0` is the character after the slash.
      const chunks = { key: this.#key(`${other}/`), range_end: this.#key(`${other}0`) };
      await this.#client.ask('/v3/kv/deleterange', chunks);
    }
  }

  /** Undefined when there is none, or when a chunk is missing. */
  async load(name: string): Promise<Buffer | undefined> {
    const count = await this.#read(name);
    if (count === undefined) return undefined;
    const parts: Buffer[] = [];
    for (let i = 0; i < Number(count.toString()); i++) {
      const chunk = await this.#read(`${name}/${i}`);
      if (chunk === undefined) return undefined;
      parts.push(chunk);
    }
    return Buffer.concat(parts);
  }

  async #listNames(): Promise<Set<string>> {
    const end = Buffer.from(`${this.#prefix.slice(0, -1)}0`).toString('base64');
    const all = { key: this.#key(''), range_end: end, keys_only: true };
    const { kvs = [] } = await this.#client.ask<RangeAnswer>('/v3/kv/range', all);
    const names = kvs.map(({ key }) => Buffer.from(key, 'base64').toString().slice(this.#prefix.length));
    return new Set(names.map((name) => name.split('/', 1)[0]!));
  }

  async #put(path: string, value: Uint8Array): Promise<void> {
    await this.#client.ask('/v3/kv/put', {
      key: this.#key(path),
      value: Buffer.from(value).toString('base64'),
    });
  }

  async #read(path: string): Promise<Buffer | undefined> {
    const { kvs = [] } = await this.#client.ask<RangeAnswer>('/v3/kv/range', { key: this.#key(path) });
    return kvs[0] && Buffer.from(kvs[0].value ?? '', 'base64');
  }

  #key(path: string): string {
    return Buffer.from(this.#prefix + path).toString('base64');
  }
}
