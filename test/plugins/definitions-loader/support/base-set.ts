/** A small set of definitions in which nothing is wrong: every kind of file, every key. */
export const baseSet: Readonly<Record<string, string>> = {
  'defaults/device.yml': `default:
  port: 161
  version: 2c
  communities:
    - \${env:WAYWISER_TEST_COMMUNITY}
  poll_intervals:
    dynamic: 60
  timeout: 3000
  retries: 2
`,
  'defaults/object_types.yml': `dynamic:
  poll_interval: 60
static:
  poll_interval: 3600
`,
  'devices/core.yml': `router:
  ip: 192.0.2.1
  port: 1161
  version: 2c
  communities:
    - \${env:WAYWISER_TEST_COMMUNITY}
  device_groups:
    - routers
  poll_interval: 30
  poll_intervals:
    static: 600
  timeout: 2000
  retries: 0
  exponential_timeout: false
  max_oids: 32
  max_repetitions: 20
  max_concurrent_polls: 2
  cisco_qos_enabled: false
  context: edge
  contexts:
    - edge
  tags:
    site: north
  enabled: true
  transport: udp
  reply_from: any
switch:
  ip: 2001:db8::1
  version: 3
  v3_credentials:
    - username: reader
      authentication_protocol: sha256
      authentication_passphrase: \${env:WAYWISER_TEST_COMMUNITY}
      privacy_protocol: aes
      privacy_passphrase: \${env:WAYWISER_TEST_COMMUNITY}
      authoritative_engine_id: 80001f8804
      authoritative_engine_boots: 1
      authoritative_engine_time: 2
  device_groups:
    - switches
`,
  'device_groups/all.yml': `routers:
  object_groups:
    - interfaces
    - system
switches:
  object_groups:
    - interfaces
`,
  'object_groups/all.yml': `interfaces:
  objects:
    - IF-MIB::ifEntry
    - IF-MIB::ifXEntry
system:
  objects:
    - SNMPv2-MIB::system
`,
  'objects/if-mib.yml': `IF-MIB::ifEntry:
  mib: IF-MIB
  object: ifEntry
  type: dynamic
  index:
    - type: Integer
      oid: .1.3.6.1.2.1.2.2.1.1
      name: netif
      syntax: InterfaceIndex
  discovery_attribute: ifDescr
  attributes:
    ifDescr:
      oid: .1.3.6.1.2.1.2.2.1.2
      name: netif.descr
      syntax: DisplayString
      tag: true
    ifOperStatus:
      oid: .1.3.6.1.2.1.2.2.1.8
      name: netif.oper_status
      syntax: EnumInteger
    ifInOctets:
      oid: .1.3.6.1.2.1.2.2.1.10
      name: netif.bytes.in
      syntax: BytesB
      metric: counter
      rediscover: OnReset
`,
  'objects/ifx-mib.yml': `IF-MIB::ifXEntry:
  mib: IF-MIB
  object: ifXEntry
  type: dynamic
  augments: IF-MIB::ifEntry
  discovery_attribute: ifName
  attributes:
    ifName:
      oid: .1.3.6.1.2.1.31.1.1.1.1
      name: netif.name
      syntax: DisplayString
      tag: true
    ifHCInOctets:
      oid: .1.3.6.1.2.1.31.1.1.1.6
      name: netif.bytes.in
      syntax: BytesB
      metric: counter
      overrides:
        object: IF-MIB::ifEntry
        attribute: ifInOctets
      description: Octets received.
      unit: By
`,
  'objects/system.yml': `SNMPv2-MIB::system:
  mib: SNMPv2-MIB
  object: system
  type: static
  attributes:
    sysDescr:
      oid: .1.3.6.1.2.1.1.1
      name: system.descr
      syntax: DisplayString
    sysUpTime:
      oid: .1.3.6.1.2.1.1.3
      name: system.uptime
      syntax: TimeTicks
      metric: gauge
      scale:
        factor: 2
        prefix: sysPrefix
        precision: sysPlaces
    sysPrefix:
      oid: .1.3.6.1.2.1.1.91
      syntax: none
    sysPlaces:
      oid: .1.3.6.1.2.1.1.92
      syntax: none
`,
  'enums/integer/if.yml': `.1.3.6.1.2.1.2.2.1.8:
  1: up
  2: down
  -1: broken
`,
  'enums/bitmap/if.yml': `.1.3.6.1.4.1.63000.1:
  0: first
  1: second
`,
  'enums/oid/vendors.yml': `.1.3.6.1.4.1.9: cisco
.1.3.6.1.4.1.2636: juniper
`,
  'autodiscover/sysoids/all.yml': `.1.3.6.1.4.1.9.1: routers
.1.3.6.1.4.1.2636.1: switches
`,
  'autodiscover/networks.yml': `office:
  credentials:
    - version: 2c
      community: \${env:WAYWISER_TEST_COMMUNITY}
    - version: 3
      v3_credential:
        username: reader
  port: 161
  poll_interval: 60
  timeout: 3000
  retries: 1
  exponential_timeout: true
  networks:
    - 198.51.100.0/24
`,
};
