import type { Notification, Varbind } from '../../src/snmp/index.ts';
import type { VarbindNaming } from '../snmp/output/varbind-naming.ts';
import { plainText } from '../terminal/plain-text.ts';

/** How a notification is printed: one line and its varbinds below, or one document. Without a time, its source is not known either. */
export type NotificationFormat = (notification: Notification, time: Date | undefined) => string;

export function chooseFormat(naming: VarbindNaming, isJson: boolean): NotificationFormat {
  return isJson
    ? (notification, time) => formatDocument(notification, time, naming)
    : (notification, time) => formatText(notification, time, naming);
}

const trapOid = '1.3.6.1.6.3.1.1.4.1.0';

/** When and from whom, in one line. */
export function formatSender(notification: Notification, time: Date | undefined): string {
  const { kind, version, source, port, level, security, agentAddress } = notification;
  const who = source.includes(':') ? `[${source}]:${port}` : `${source}:${port}`;
  const words = [
    ...(time === undefined ? [] : [time.toISOString(), who]),
    `${kind} of SNMPv${version}`,
    ...(security === undefined
      ? []
      : [`user ${plainText(security.user)}`, level, `engine ${security.engineId}`]),
    ...(security?.context ? [`context ${plainText(security.context)}`] : []),
    ...(agentAddress === undefined ? [] : [`agent ${agentAddress}`]),
  ];
  return words.join(', ');
}

function formatText(notification: Notification, time: Date | undefined, naming: VarbindNaming): string {
  const { varbinds, oid } = notification;
  const named: Varbind = { oid: trapOid, type: 'ObjectIdentifier', value: oid };
  const lines = [named, ...varbinds].map((varbind) => `  ${indentMore(naming.format(varbind))}\n`);
  return `${formatSender(notification, time)}\n${lines.join('')}`;
}

/** A value may have line ends. What follows them must not look like another notification. */
function indentMore(text: string): string {
  return text.split('\n').map(plainText).join('\n      ');
}

function formatDocument(notification: Notification, time: Date | undefined, naming: VarbindNaming): string {
  const { kind, version, oid, uptime, source, port, level, security, agentAddress, enterprise, v1 } =
    notification;
  const document = {
    time: time?.toISOString(),
    ...(time === undefined ? {} : { source, port }),
    kind,
    version,
    level,
    user: security?.user,
    engineId: security?.engineId,
    context: security?.context || undefined,
    oid,
    uptime,
    agentAddress,
    enterprise,
    ...v1,
    varbinds: notification.varbinds.map((varbind) => JSON.parse(naming.format(varbind))),
  };
  return `${JSON.stringify(document)}\n`;
}
