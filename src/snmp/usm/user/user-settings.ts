import type { AuthProtocolName, PrivProtocolName } from '../../../model/v3-protocols.ts';

/** A user as a person configures it. Which protocols are set gives the security level. */
export interface UserSettings {
  readonly name: string;
  readonly authProtocol?: AuthProtocolName | undefined;
  readonly authPassphrase?: string | undefined;
  readonly privProtocol?: PrivProtocolName | undefined;
  readonly privPassphrase?: string | undefined;
}
