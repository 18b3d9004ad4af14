import type { Category, Severity } from '../../../src/definitions/index.ts';
import type { MibNode } from '../../mib/index.ts';
import { wordsOf } from './field-words.ts';

/** The severity that a MIB says, or that its words stand for; undefined where a person must decide. */
export function severityOf({ remarks, name, description = '' }: MibNode): Severity | undefined {
  const inText = /^\s*([A-Za-z]{2,20}):\s/.exec(description)?.[1];
  for (const each of [remarks?.['SEVERITY'], inText]) {
    const said = each?.toLowerCase().replace(/[^a-z]/g, '') ?? '';
    if (Object.hasOwn(saidSeverities, said)) return saidSeverities[said];
  }
  const text = wordsOf(name).join(' ');
  if (goodEnd.test(text)) return 'notice';
  const [sentence = ''] = description
    .slice(0, 600)
    .replace(/\s+/g, ' ')
    .split(/\.(?:\s|$)/, 1);
  return findSeverity(text) ?? (events.test(text) ? 'notice' : findSeverity(sentence.toLowerCase()));
}

/** The words of `--#SEVERITY`, and of descriptions such as `SEVERE: The UPS …`. */
const saidSeverities: Readonly<Record<string, Severity>> = {
  emergency: 'emergency',
  emerg: 'emergency',
  alert: 'alert',
  alerts: 'alert',
  fatal: 'critical',
  critical: 'critical',
  crit: 'critical',
  nonrecoverable: 'critical',
  severe: 'critical',
  major: 'error',
  error: 'error',
  err: 'error',
  minor: 'warning',
  warning: 'warning',
  warn: 'warning',
  notification: 'notice',
  notifications: 'notice',
  normal: 'notice',
  cleared: 'notice',
  clear: 'notice',
  ok: 'notice',
  okay: 'notice',
  notice: 'notice',
  informational: 'info',
  informationnal: 'info',
  information: 'info',
  info: 'info',
  debug: 'debug',
  debugging: 'debug',
};

const enumSeverities: Readonly<Record<string, Severity>> = {
  ...saidSeverities,
  high: 'error',
  medium: 'warning',
  low: 'notice',
  indeterminate: 'notice',
};

/** What the names of an enum mean that says how bad a notification is; undefined where most of them are no severities. */
export function severitiesOf(names: readonly string[]): Readonly<Record<string, Severity>> | undefined {
  const found = names.flatMap((name) => {
    const word = name.toLowerCase().replace(/[^a-z]/g, '');
    return Object.hasOwn(enumSeverities, word) ? [[name, enumSeverities[word]!] as const] : [];
  });
  return found.length < 2 || found.length * 2 < names.length ? undefined : Object.fromEntries(found);
}

function findSeverity(text: string): Severity | undefined {
  return severityWords.find(([pattern]) => pattern.test(text))?.[1];
}

const severityWords: readonly (readonly [RegExp, Severity])[] = [
  [
    /\b(?:emergency|critical|shutdown|shut down|shutting down|fatal|depleted|discharged|meltdown)\b/,
    'critical',
  ],
  [
    /\b(?:fail|fails|failed|failing|failure|failures|fault|faults|faulty|faulted|down|lost|loss|error|errors|dead|died|crash|crashed|unreachable|broken|stopped|offline|unavailable|inoperable|inoperative|malfunction|overload|overloaded|alarm|alarms|major|panic|abort|aborted|exhausted)\b/,
    'error',
  ],
  [
    /\b(?:warning|warn|threshold|thresholds|exceed|exceeds|exceeded|exceeding|high|low|over|under|degraded|degrade|minor|mismatch|conflict|conflicts|duplicate|denied|unauthorized|unauthorised|authentication|attack|attacks|intrusion|violation|violations|reject|rejected|timeout|expired|expiring|expiration|full|overflow|rising|crossing|crossed|abnormal|bad|invalid|illegal|missing|blocked|on battery|rogue|spoofing|flood|virus|unstable|flapping|congestion|leak|disconnected|disconnect)\b/,
    'warning',
  ],
];

/** A trap whose last words are these says that something has ended. */
const goodEnd =
  /\b(?:up|ok|okay|normal|restored|restore|recovered|recovery|recover|cleared|clear|clears|cleaned|resolved|returned|online|established|falling|success|succeeded|successful|resume|resumed|good|available|reachable|connected|ended|end|off)(?: (?:notification|notif|notify|trap|event))?$/;

/** What happens without being good or bad. */
const events =
  /\b(?:change|changed|changes|changing|complete|completed|completion|finished|done|start|started|starting|stop|inserted|insert|insertion|removed|remove|removal|added|add|deleted|delete|destroyed|unset|created|create|update|updated|login|logon|logout|logoff|logged|log in|log out|saved|save|event|events|info|information|enabled|enable|disabled|disable|topology|new|join|joined|leave|left|learned|registered|transition|switchover|switched|switch|reboot|rebooted|restart|reset|boot|booted|cold|warm|upgrade|upgraded|downloaded|download|detected|discovered|moved|role|notify|test|installed|report|opened|closed|status|state)\b/;

const categories: readonly (readonly [RegExp, Category])[] = [
  [
    /\b(?:ups|battery|batteries|power|psu|supply|supplies|outlet|pdu|voltage|current|rectifier|generator|ats|poe|pse)\b/,
    'power',
  ],
  [
    /\b(?:temp|temperature|temperatures|thermal|fan|fans|humidity|env|environment|environmental|cooling|overtemperature|smoke|leak|sensor|sensors|probe|air)\b/,
    'environment',
  ],
  [
    /\b(?:auth|authentication|security|login|logon|password|intrusion|attack|attacks|acl|violation|unauthorized|rogue|ips|ids|virus|malware|vpn|ipsec|ike|certificate|crypto|firewall|radius|tacacs|aaa|user|spoofing|threat|dos|flood)\b/,
    'security',
  ],
  [/\b(?:wireless|wlan|wifi|ap|aps|ssid|radio|station|rf|lwapp|capwap|dot 11|rogue ap)\b/, 'wireless'],
  [
    /\b(?:bgp|ospf|isis|rip|mpls|ldp|vrrp|hsrp|pim|bfd|route|routes|routing|rsvp|lsp|eigrp|msdp|multicast|neighbor|peer)\b/,
    'routing',
  ],
  [/\b(?:config|configuration|cfg|conf|saved|save)\b/, 'configuration'],
  [
    /\b(?:link|port|ports|interface|interfaces|if|stp|bridge|vlan|lldp|cdp|lag|lacp|dot 1d|ethernet|trunk|loop|topology|tunnel|mac|dsl|optical|transceiver|sfp)\b/,
    'link',
  ],
  [
    /\b(?:disk|disks|drive|drives|module|modules|card|cards|slot|fru|chassis|stack|hardware|hw|entity|raid|array|memory|controller|board|enclosure|physical|component)\b/,
    'hardware',
  ],
  [/\b(?:print|printer|prt|toner|paper)\b/, 'printing'],
  [
    /\b(?:cpu|process|processor|system|sys|cold|warm|boot|reboot|restart|software|image|firmware|agent|log|license|licence|clock|ntp|kernel|upgrade)\b/,
    'system',
  ],
  [
    /\b(?:service|services|server|servers|pool|virtual|database|vm|cluster|ha|session|sessions|dhcp|dns|http|smtp|mail|backup|call|voice|sip)\b/,
    'service',
  ],
];

/** What a notification is about, by its name, then by the names of its varbinds; undefined where nothing says it. */
export function categoryOf(texts: readonly string[]): Category | undefined {
  for (const text of texts) {
    const found = categories.find(([pattern]) => pattern.test(text));
    if (found !== undefined) return found[1];
  }
  return undefined;
}

/** Words that say the end of a trouble, each with those that say its beginning. An empty text is a name without such a word. */
const ends: readonly (readonly [end: string, beginnings: readonly string[]])[] = [
  ['up', ['down']],
  ['ok', ['fail', 'failed', 'failure', 'fault', 'error', 'alarm', 'bad', 'down', '']],
  [
    'normal',
    [
      'fail',
      'failed',
      'failure',
      'fault',
      'alarm',
      'abnormal',
      'high',
      'low',
      'warning',
      'critical',
      'exceeded',
      '',
    ],
  ],
  ['restored', ['lost', 'fail', 'failed', 'failure', 'down', '']],
  ['recovered', ['fail', 'failed', 'failure', 'fault', 'lost', 'down', '']],
  ['recovery', ['fail', 'failed', 'failure', 'fault', 'lost', 'down', '']],
  ['recover', ['fail', 'failed', 'failure', 'fault', 'lost', 'down', '']],
  ['resume', ['fail', 'failed', 'fault', 'alarm', 'down', 'abnormal', 'exceed', '']],
  ['resumed', ['failed', 'failure', 'lost', 'down', '']],
  ['cleared', ['raised', 'set', 'detected', 'asserted', 'alarm', 'exceeded', 'failed', '']],
  ['clear', ['raise', 'set', 'detect', 'assert', 'alarm', 'exceeded', 'fail', '']],
  ['resolved', ['detected', 'raised', '']],
  ['deasserted', ['asserted']],
  ['established', ['lost', 'down', 'failed', 'backward transition']],
  ['returned', ['lost', 'failed']],
  ['online', ['offline']],
  ['reachable', ['unreachable']],
  ['available', ['unavailable']],
  ['connected', ['disconnected', 'lost']],
  ['off', ['on']],
  ['falling', ['rising']],
  ['end', ['start', 'begin', '']],
  ['ended', ['started', 'begun', '']],
];

/** By name: the notifications that it ends, as linkUp ends linkDown. Names differ in one place only. */
export function findCleared(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const byText = new Map(names.map((name) => [wordsOf(name).join(' '), name]));
  const cleared = new Map<string, readonly string[]>();
  for (const [text, name] of byText) {
    // What is added and removed otherwise is no trouble.
    const isTrouble = /\b(?:alarm|fault|alert|trouble)\b.*\bremoved$/.test(text);
    const [end, beginnings] = isTrouble
      ? (['removed', ['added']] as const)
      : (ends.find(([word]) => ` ${text} `.includes(` ${word} `)) ?? (['', []] as const));
    const found = beginnings.flatMap((beginning) => {
      const wanted = ` ${text} `.replace(` ${end} `, beginning === '' ? ' ' : ` ${beginning} `).trim();
      const other = byText.get(wanted);
      return other === undefined || other === name ? [] : [other];
    });
    if (found.length > 0) cleared.set(name, found);
  }
  return cleared;
}
