/** For plugins and commands: what index.ts does not publish. */

export { BerReader } from './codec/ber-reader.ts';
export { BerWriter } from './codec/ber-writer.ts';
export { type OpaqueValue, writeOpaque } from './codec/opaque-codec.ts';
export { countOctets } from './request/count-octets.ts';
export { type AskedColumn, getAnswered } from './session/get-answered.ts';
export { readV3Message } from './usm/message/v3-message.ts';
export { messageFlag } from './usm/user/security-level.ts';
