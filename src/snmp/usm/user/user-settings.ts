import type { AuthProtocolName, PrivProtocolName } from '../../../model/v3-protocols.ts';

/** A user as configured. The protocols that are set determine the security level. */
export interface UserSettings {
  readonly name: string;
  readonly authProtocol?: AuthProtocolName | undefined;
  readonly authPassphrase?: string | undefined;
  readonly privProtocol?: PrivProtocolName | undefined;
  readonly privPassphrase?: string | undefined;
}
