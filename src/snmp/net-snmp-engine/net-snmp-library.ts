import type { Socket } from 'node:dgram';
import type { EventEmitter } from 'node:events';
// @ts-expect-error The package has no types; the parts in use are declared below.
import netSnmp from 'net-snmp';

export interface LibraryVarbind {
  readonly oid: string;
  readonly type: number;
  readonly value: unknown;
}

/** Repeaters of a GETBULK are an array per column. */
export type LibraryVarbinds = readonly (LibraryVarbind | readonly LibraryVarbind[])[];
export type LibraryCallback = (
  error: (Error & { status?: number }) | null,
  varbinds: LibraryVarbinds,
) => void;

export interface LibrarySession extends EventEmitter {
  get(oids: readonly string[], callback: LibraryCallback): void;
  getNext(oids: readonly string[], callback: LibraryCallback): void;
  getBulk(
    oids: readonly string[],
    nonRepeaters: number,
    maxRepetitions: number,
    callback: LibraryCallback,
  ): void;
  close(): void;
}

export interface LibraryOptions {
  readonly version: number;
  readonly port: number;
  readonly transport: 'udp4' | 'udp6';
  readonly retries: number;
  readonly timeout: number;
  readonly context: string;
  readonly idBitsSize: number;
  readonly backwardsGetNexts: boolean;
  readonly reportOidMismatchErrors: boolean;
  readonly strictIntRangeChecks: boolean;
  readonly dgramModule: { createSocket(type: 'udp4' | 'udp6'): Socket };
}

export interface LibraryUser {
  readonly name: string;
  readonly level: number;
  readonly authProtocol?: number | undefined;
  readonly authKey?: string | undefined;
  readonly privProtocol?: number | undefined;
  readonly privKey?: string | undefined;
}

interface Library {
  readonly Version1: number;
  readonly Version2c: number;
  readonly Version3: number;
  readonly SecurityLevel: Readonly<Record<'noAuthNoPriv' | 'authNoPriv' | 'authPriv', number>>;
  readonly AuthProtocols: Readonly<Record<string, number>>;
  readonly PrivProtocols: Readonly<Record<string, number>>;
  createSession(address: string, community: string, options: LibraryOptions): LibrarySession;
  createV3Session(address: string, user: LibraryUser, options: LibraryOptions): LibrarySession;
  /** An error-status: `status` is its number. */
  readonly RequestFailedError: new () => Error & { readonly status: number };
  readonly RequestTimedOutError: new () => Error & { readonly name: 'RequestTimedOutError' };
}

/** The parts of the npm package net-snmp that are in use. No other file imports it. */
export const library: Library = netSnmp;
