/** A label or a field of a record of the vocabulary. */
export interface Word {
  readonly meaning: string;
  /** Of a number. */
  readonly unit?: string;
  readonly metric?: 'counter' | 'gauge';
}

export interface VocabularyRecord {
  readonly meaning: string;
  /** By label, without the one that each record has: its name and `.id`. */
  readonly labels: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, Word>>;
  /** The prefix of `.size`, `.used`, `.free` and `.usage`, of which the poller computes the missing ones. */
  readonly pool?: string;
}

const text = (meaning: string): Word => ({ meaning });
const gauge = (unit: string, meaning: string): Word => ({ unit, metric: 'gauge', meaning });
const counter = (meaning: string, unit?: string): Word => ({
  metric: 'counter',
  meaning,
  ...(unit === undefined ? {} : { unit }),
});

/** A state: its name in the words of the MIB, and its number. */
const stateOf = (name: string, meaning: string): Record<string, Word> => ({
  [`${name}.name`]: text(`${meaning}, in the word of the vendor`),
  [`${name}.id`]: gauge('1', `${meaning}, as a number`),
});

/** Size, use and free space of a pool. */
const pool = (name: string, what: string): Record<string, Word> => ({
  [`${name}.size`]: gauge('B', `${what} in all`),
  [`${name}.used`]: gauge('B', `${what} in use`),
  [`${name}.free`]: gauge('B', `${what} not in use`),
  [`${name}.usage`]: gauge('%', `Used part of the ${what.toLowerCase()}`),
});

/** The records that an object can choose with `record`, beside `sensor`, which the attributes choose. */
export const vocabularyRecords = {
  processor: {
    meaning: 'A processor, a core, or all of them together',
    labels: { 'processor.name': 'Name', 'processor.type': 'Kind, such as data plane' },
    fields: {
      'processor.usage': gauge('%', 'Time that it is busy, the most current average that the device has'),
      'processor.usage_5s': gauge('%', 'The same, averaged over five seconds'),
      'processor.usage_1m': gauge('%', 'The same, averaged over a minute'),
      'processor.usage_5m': gauge('%', 'The same, averaged over five minutes'),
      'processor.usage_15m': gauge('%', 'The same, averaged over fifteen minutes'),
    },
  },
  memory: {
    meaning: 'A pool of memory',
    labels: { 'memory.name': 'Name', 'memory.type': 'Kind, such as swap' },
    fields: {
      ...pool('memory', 'Memory'),
      'memory.buffers': gauge('B', 'Memory used as buffers'),
      'memory.cached': gauge('B', 'Memory used as cache'),
      'memory.shared': gauge('B', 'Shared memory'),
      'memory.available': gauge('B', 'Memory that programs can get, caches included'),
      'memory.largest_free': gauge('B', 'Longest piece of memory not in use'),
    },
    pool: 'memory',
  },
  storage: {
    meaning: 'A file system, a volume or a pool of disks',
    labels: {
      'storage.name': 'Name or mount point',
      'storage.type': 'Kind',
      'storage.device': 'Partition or device that holds it',
    },
    fields: {
      ...pool('storage', 'Space'),
      'storage.available': gauge('B', 'Space that users can get'),
      'storage.inodes_usage': gauge('%', 'Used part of the inodes'),
      'storage.failures': counter('Requests for space that could not be met'),
    },
    pool: 'storage',
  },
  disk: {
    meaning: 'A disk; its state and temperature are sensors',
    labels: { 'disk.name': 'Name or place', 'disk.serial': 'Serial number', 'disk.model': 'Model' },
    fields: {
      'disk.size': gauge('B', 'Capacity'),
      'disk.bytes.read': counter('Octets read', 'B'),
      'disk.bytes.written': counter('Octets written', 'B'),
      'disk.operations.read': counter('Reads'),
      'disk.operations.written': counter('Writes'),
      'disk.merged.read': counter('Reads that were merged with others'),
      'disk.merged.written': counter('Writes that were merged with others'),
      'disk.time.read': counter('Time that reads took', 'ms'),
      'disk.time.written': counter('Time that writes took', 'ms'),
      'disk.usage': gauge('%', 'Time that it is busy'),
    },
  },
  consumable: {
    meaning: 'What a printer uses up',
    labels: {
      'consumable.name': 'Name',
      'consumable.type': 'Kind, such as toner',
      'consumable.color': 'Colour',
    },
    fields: {
      'consumable.level': gauge('%', 'What is left of a full one'),
      'consumable.size': gauge('1', 'What a full one holds, in the unit of the printer'),
      'consumable.remaining': gauge('1', 'What is left, in the unit of the printer'),
    },
  },
  radio: {
    meaning: 'A radio or a radio link',
    labels: {
      'radio.name': 'Name',
      'radio.ssid': 'Network',
      'radio.band': 'Band',
      'radio.peer': 'The other end of a link',
      'radio.mode': 'Mode',
      'radio.access_point': 'Access point that has it',
    },
    fields: {
      'radio.frequency': gauge('Hz', 'Frequency'),
      'radio.channel': gauge('1', 'Number of the channel'),
      'radio.width': gauge('Hz', 'Width of the channel'),
      'radio.power.tx': gauge('dBm', 'Power of transmission'),
      'radio.signal': gauge('dBm', 'Power of the received signal'),
      'radio.noise': gauge('dBm', 'Noise'),
      'radio.snr': gauge('dB', 'Signal above noise'),
      'radio.rssi': gauge('1', 'Strength of the signal, in the unit of the vendor'),
      'radio.clients': gauge('1', 'Clients'),
      'radio.rate.rx': gauge('bit/s', 'Rate of reception'),
      'radio.rate.tx': gauge('bit/s', 'Rate of transmission'),
      'radio.utilization': gauge('%', 'Time that the channel is busy'),
      'radio.capacity': gauge('bit/s', 'Capacity of the link'),
      'radio.quality': gauge('%', 'Quality of the connection, such as CCQ'),
      'radio.error_ratio': gauge('1', 'Errors divided by all'),
      'radio.distance': gauge('m', 'Distance of the other end'),
      'radio.mse': gauge('dB', 'Mean square error'),
    },
  },
  access_point: {
    meaning: 'An access point that a controller manages',
    labels: {
      'access_point.name': 'Name',
      'access_point.mac': 'MAC address',
      'access_point.model': 'Model',
      'access_point.location': 'Place',
      'access_point.serial': 'Serial number',
      'access_point.address': 'IP address',
    },
    fields: {
      'access_point.clients': gauge('1', 'Clients'),
      ...stateOf('access_point.state', 'State'),
      'access_point.uptime': gauge('ms', 'Time since it started'),
    },
  },
  wlan: {
    meaning: 'A wireless network',
    labels: { 'wlan.ssid': 'Its name in the air', 'wlan.name': 'Its name in the controller' },
    fields: { 'wlan.clients': gauge('1', 'Clients') },
  },
  tunnel: {
    meaning: 'A tunnel or a VPN connection',
    labels: { 'tunnel.name': 'Name', 'tunnel.peer': 'The other end', 'tunnel.user': 'User' },
    fields: {
      ...stateOf('tunnel.state', 'State'),
      'tunnel.bytes.in': counter('Octets received', 'B'),
      'tunnel.bytes.out': counter('Octets sent', 'B'),
      'tunnel.packets.in': counter('Packets received'),
      'tunnel.packets.out': counter('Packets sent'),
      'tunnel.uptime': gauge('ms', 'Time since it came up'),
    },
  },
  licence: {
    meaning: 'A licence',
    labels: { 'licence.name': 'Name' },
    fields: {
      'licence.used': gauge('1', 'Units in use'),
      'licence.bought': gauge('1', 'Units that were bought'),
      'licence.expires': gauge('ms', 'When it ends, in milliseconds since 1970; absent where it does not'),
    },
  },
  cluster_member: {
    meaning: 'A member of a cluster or a stack',
    labels: { 'cluster.member': 'Name or number', 'cluster.role': 'Role', 'cluster.serial': 'Serial number' },
    fields: {
      ...stateOf('cluster.state', 'State'),
      'cluster.sessions': gauge('1', 'Sessions'),
      'cluster.usage.processor': gauge('%', 'Time that its processor is busy'),
      'cluster.usage.memory': gauge('%', 'Used part of its memory'),
    },
  },
  pool_member: {
    meaning: 'A server behind a load balancer',
    labels: { 'pool.name': 'Pool or virtual server', 'pool.member': 'Server', 'pool.port': 'Port' },
    fields: {
      ...stateOf('pool.state', 'State'),
      'pool.connections': gauge('1', 'Connections'),
      'pool.connections_opened': counter('Connections since the start'),
      'pool.bytes.in': counter('Octets from clients', 'B'),
      'pool.bytes.out': counter('Octets to clients', 'B'),
    },
  },
  bgp_peer: {
    meaning: 'A BGP neighbour',
    labels: {
      'bgp.peer.ip.addr': 'Address',
      'bgp.peer.as': 'Autonomous system of the neighbour',
      'bgp.peer.name': 'Name',
      'bgp.instance': 'Routing instance',
    },
    fields: {
      'bgp.peer.id': text('Router id of the neighbour'),
      ...stateOf('bgp.peer.status.oper', 'State of the session'),
      ...stateOf('bgp.peer.status.admin', 'Whether the operator wants the session'),
      'bgp.peer.version': text('BGP version in use'),
      'bgp.local.ip.addr': text('Address at this end'),
      'bgp.local.as': text('Autonomous system at this end'),
      'bgp.peer.updates.in': counter('UPDATE messages received'),
      'bgp.peer.updates.out': counter('UPDATE messages sent'),
      'bgp.peer.messages.in': counter('Messages received'),
      'bgp.peer.messages.out': counter('Messages sent'),
      'bgp.peer.last_error': text('Code and subcode of the last error'),
      'bgp.peer.established.count': counter('Times the session was established'),
      'bgp.peer.established.time': gauge('ms', 'Time since the session was established or lost'),
      'bgp.peer.hold': gauge('ms', 'Hold time in use'),
      'bgp.peer.keep_alive': gauge('ms', 'Keep-alive interval in use'),
      'bgp.peer.updates.age': gauge('ms', 'Time since the last UPDATE message'),
      'bgp.peer.prefixes.in': gauge('1', 'Prefixes received'),
      'bgp.peer.prefixes.accepted': gauge('1', 'Prefixes accepted'),
      'bgp.peer.prefixes.out': gauge('1', 'Prefixes sent'),
    },
  },
  ospf_neighbor: {
    meaning: 'An OSPF neighbour',
    labels: {
      'ospf.neighbor.ip.addr': 'Address',
      'netif.index': 'Interface, for a neighbour without an address',
      'ospf.instance': 'Routing instance',
    },
    fields: {
      'ospf.neighbor.id': text('Router id of the neighbour'),
      'ospf.neighbor.priority': gauge('1', 'Priority in the election of a designated router'),
      ...stateOf('ospf.neighbor.status', 'State of the neighbour'),
      'ospf.neighbor.events': counter('Times the state changed or an error occurred'),
      'ospf.neighbor.queue': gauge('1', 'Packets that wait to be sent again'),
    },
  },
} as const satisfies Record<string, VocabularyRecord>;

export type VocabularyRecordName = keyof typeof vocabularyRecords;
export const vocabularyRecordNames = Object.keys(vocabularyRecords) as readonly VocabularyRecordName[];

export function findVocabularyRecord(name: string): VocabularyRecord | undefined {
  return (vocabularyRecords as Readonly<Record<string, VocabularyRecord>>)[name];
}
