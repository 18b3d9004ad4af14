export { CommunityCodec, type CommunityMessage } from './codec/community-message.ts';
export { type ErrorStatus, errorStatuses, type Pdu, type PduType } from './codec/pdu.ts';
export {
  isException,
  type SnmpType,
  type SnmpValue,
  type ValueByType,
  type Varbind,
} from './codec/snmp-value.ts';
