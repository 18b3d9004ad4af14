/** The SNMPv3 contexts in which a device is asked, the first one first. The empty text is the default context. */
export function contextsOf({ version, contexts = [], context = '' }: ContextSettings): readonly string[] {
  return String(version) === '3' && contexts.length > 0 ? contexts : [context];
}

interface ContextSettings {
  readonly version?: string | number;
  readonly contexts?: readonly string[];
  readonly context?: string;
}
