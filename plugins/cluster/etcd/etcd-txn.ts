import type { EtcdClient, EtcdEntry, EtcdHeader } from './etcd-client.ts';

export interface RangeAnswer {
  readonly header: EtcdHeader;
  readonly kvs?: readonly EtcdEntry[];
}

export interface TxnAnswer {
  readonly header: EtcdHeader;
  readonly succeeded?: boolean;
  readonly responses?: readonly {
    readonly response_range?: RangeAnswer;
    readonly response_txn?: TxnAnswer;
  }[];
}

export interface Txn {
  /** All of them must be equal. */
  readonly compare?: readonly object[];
  readonly success?: readonly object[];
  readonly failure?: readonly object[];
}

export function txn(client: EtcdClient, parts: Txn): Promise<TxnAnswer> {
  return client.ask<TxnAnswer>('/v3/kv/txn', withResults(parts));
}

export function withResults(parts: Txn): Txn {
  return { ...parts, compare: (parts.compare ?? []).map((each) => ({ ...each, result: 'EQUAL' })) };
}

export function encode(text: string): string {
  return Buffer.from(text).toString('base64');
}

export function decode(text: string): string {
  return Buffer.from(text, 'base64').toString('utf8');
}

/** The first key after all that begin with a path, which ends with a slash: `0` is the character after it. */
export function endOf(path: string): string {
  return `${path.slice(0, -1)}0`;
}
