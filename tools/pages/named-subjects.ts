/** Something that people ask for by its name, and what the shipped definitions have of it. */
export interface NamedSubject {
  readonly name: string;
  /** Ids of objects, beginnings of ids before a star, folders of `definitions/objects`, or `record:` and a record of the vocabulary. */
  readonly objects: readonly string[];
  /** What is missing of it, and why. */
  readonly missing?: string;
}

const noMibAndNoRecording = 'no MIB of it and no recorded device were at hand';
const isLinux = ['host', 'hardware'];

/** Vendors and product lines. */
export const namedVendors: readonly NamedSubject[] = [
  { name: 'Cisco IOS, XE, XR', objects: ['vendor/cisco'] },
  {
    name: 'Cisco NX-OS',
    objects: ['CISCO-SYSTEM-EXT-MIB::*', 'CISCO-VPC-MIB::*', 'CISCO-ENTITY-*', 'CISCO-ETHERNET-*'],
  },
  {
    name: 'Cisco ASA',
    objects: [
      'CISCO-FIREWALL-MIB::*',
      'CISCO-UNIFIED-FIREWALL-MIB::*',
      'CISCO-REMOTE-ACCESS-MONITOR-MIB::*',
      'CISCO-IPSEC-FLOW-MONITOR-MIB::*',
    ],
  },
  { name: 'Cisco WLC', objects: ['AIRESPACE-*', 'CISCO-LWAPP-*'] },
  {
    name: 'Cisco UCS, CIMC',
    objects: ['CISCO-UNIFIED-COMPUTING-MIB::*'],
    missing:
      'blades, supplies and fans: the MIB at hand defines only faults, and no recorded device has the others',
  },
  { name: 'Cisco Small Business', objects: ['CISCOSB-*'] },
  { name: 'Juniper', objects: ['vendor/juniper'] },
  {
    name: 'Arista',
    objects: [
      'ENTITY-SENSOR-MIB::*',
      'ENTITY-STATE-MIB::*',
      'HOST-RESOURCES-MIB::hrProcessorEntry',
      'HOST-RESOURCES-MIB::hrStorageEntry',
    ],
    missing: 'the MIBs of Arista add queue lengths and access lists; health is in the standard MIBs',
  },
  { name: 'Huawei', objects: ['vendor/huawei'] },
  { name: 'H3C, Comware', objects: ['vendor/h3c'] },
  {
    name: 'HPE ProCurve, Aruba AOS-S',
    objects: ['HP-ICF-*', 'STATISTICS-MIB::*', 'NETSWITCH-MIB::*', 'POWERSUPPLY-MIB::*', 'FAN-MIB::*'],
  },
  { name: 'Aruba CX', objects: ['vendor/aruba-cx'] },
  { name: 'Aruba controllers, Instant', objects: ['vendor/aruba'] },
  { name: 'Dell OS9', objects: ['F10-*'] },
  { name: 'Dell OS10', objects: ['DELL-NETWORKING-*', 'DELLEMC-OS10-CHASSIS-MIB::*', 'ENTITY-MIB::*'] },
  { name: 'Dell N-series', objects: ['vendor/fastpath'] },
  {
    name: 'Dell iDRAC, OpenManage',
    objects: ['IDRAC-MIB-SMIv2::*', 'DELL-RAC-MIB::*', 'MIB-Dell-10892::*', 'StorageManagement-MIB::*'],
  },
  { name: 'Dell EqualLogic', objects: ['EQLMEMBER-MIB::*'] },
  { name: 'HPE iLO, CPQ', objects: ['CPQ*'] },
  { name: 'Supermicro', objects: ['vendor/supermicro'] },
  { name: 'Lenovo XCC', objects: ['LENOVO-XCC-MIB::*'] },
  { name: 'Fortinet', objects: ['vendor/fortinet'] },
  { name: 'Palo Alto', objects: ['vendor/paloalto'] },
  { name: 'Check Point', objects: ['vendor/checkpoint'] },
  { name: 'SonicWall', objects: ['vendor/sonicwall'] },
  { name: 'F5', objects: ['vendor/f5'] },
  { name: 'Citrix', objects: ['vendor/citrix'] },
  { name: 'A10', objects: ['vendor/a10'] },
  { name: 'Nokia SR OS', objects: ['vendor/nokia'] },
  { name: 'Alcatel OmniSwitch', objects: ['vendor/alcatel'] },
  { name: 'Ciena', objects: ['vendor/ciena'] },
  {
    name: 'Infinera',
    objects: ['vendor/infinera'],
    missing: 'Groove: signal quality and error rates, which are in tables for performance',
  },
  { name: 'ADVA', objects: ['vendor/adva'], missing: 'FSP 3000: no definition was written' },
  { name: 'Extreme', objects: ['vendor/extreme'] },
  { name: 'Brocade FC', objects: ['vendor/brocade'] },
  { name: 'Brocade ICX, Foundry', objects: ['vendor/foundry'] },
  { name: 'Ruckus', objects: ['vendor/ruckus'] },
  { name: 'Ubiquiti', objects: ['vendor/ubiquiti'] },
  { name: 'MikroTik', objects: ['vendor/mikrotik'] },
  { name: 'Cambium', objects: ['vendor/cambium'] },
  { name: 'Mimosa', objects: ['vendor/mimosa'] },
  { name: 'Siklu', objects: ['vendor/siklu'] },
  { name: 'Ceragon', objects: ['vendor/ceragon'] },
  { name: 'Zyxel', objects: ['vendor/zyxel'] },
  { name: 'TP-Link', objects: ['vendor/tplink'] },
  { name: 'Netgear', objects: ['vendor/netgear', 'vendor/fastpath'] },
  { name: 'D-Link', objects: ['vendor/dlink'] },
  { name: 'Allied Telesis', objects: ['vendor/allied'] },
  { name: 'APC, Schneider', objects: ['vendor/apc'] },
  { name: 'Eaton, MGE', objects: ['vendor/eaton'] },
  { name: 'Vertiv, Liebert', objects: ['vendor/vertiv'] },
  { name: 'Raritan', objects: ['vendor/raritan'] },
  { name: 'ServerTech', objects: ['vendor/servertech'] },
  { name: 'Rittal', objects: ['vendor/rittal'] },
  { name: 'CyberPower', objects: ['vendor/cyberpower'] },
  { name: 'Socomec', objects: ['vendor/socomec'] },
  { name: 'Riello', objects: ['vendor/riello'] },
  { name: 'Geist', objects: ['vendor/geist'] },
  { name: 'Eltek', objects: ['vendor/eltek'] },
  { name: 'NetApp', objects: ['vendor/netapp'] },
  { name: 'Synology', objects: ['vendor/synology'] },
  { name: 'QNAP', objects: ['vendor/qnap'] },
  { name: 'EMC Data Domain', objects: ['vendor/emc'] },
  { name: 'Isilon', objects: ['vendor/isilon'] },
  { name: 'Pure', objects: [], missing: noMibAndNoRecording },
  { name: 'VMware', objects: ['vendor/vmware'] },
  {
    name: 'Proxmox',
    objects: isLinux,
    missing: 'virtual machines: Proxmox has no SNMP agent of its own, and net-snmp tells only about the host',
  },
  {
    name: 'UCD, net-snmp, extends',
    objects: ['UCD-SNMP-MIB::*', 'NET-SNMP-EXTEND-MIB::*', 'UCD-DISKIO-MIB::*', 'LM-SENSORS-MIB::*'],
  },
  {
    name: 'Windows',
    objects: ['HOST-RESOURCES-MIB::*'],
    missing: 'services, and counters of Windows itself: its SNMP agent has neither',
  },
  { name: 'Printers', objects: ['printing'] },
  {
    name: 'Sensatronics',
    objects: [],
    missing: 'its values are texts whose unit another value has, each at a place of its own',
  },
  { name: 'AKCP', objects: ['vendor/akcp'] },
  { name: 'HWg', objects: ['vendor/hwgroup'] },
  { name: 'Teltonika', objects: ['vendor/teltonika'] },
  { name: 'Mellanox, NVIDIA', objects: ['vendor/mellanox', 'ENTITY-SENSOR-MIB::*'] },
  { name: 'Cumulus', objects: ['vendor/cumulus', 'LM-SENSORS-MIB::*', 'ENTITY-SENSOR-MIB::*'] },
];

/** Tables and subjects. */
export const namedTables: readonly NamedSubject[] = [
  { name: 'IP and addresses', objects: ['IP-MIB::ip', 'IP-MIB::ipAddrEntry', 'IP-MIB::ipAddressEntry'] },
  { name: 'Bridge ports, VLANs', objects: ['BRIDGE-MIB::dot1dBasePortEntry', 'Q-BRIDGE-MIB::dot1qVlan*'] },
  { name: 'dot3Stats', objects: ['EtherLike-MIB::dot3StatsEntry'] },
  {
    name: 'hrProcessor, hrStorage',
    objects: ['HOST-RESOURCES-MIB::hrProcessorEntry', 'HOST-RESOURCES-MIB::hrStorageEntry'],
  },
  {
    name: 'UCD processor and memory',
    objects: ['UCD-SNMP-MIB::systemStats', 'UCD-SNMP-MIB::memory*', 'UCD-SNMP-MIB::laEntry'],
  },
  { name: 'UPS-MIB', objects: ['UPS-MIB::*'] },
  { name: 'Printer-MIB', objects: ['Printer-MIB::*'] },
  {
    name: 'FortiGate system, processors, sensors',
    objects: [
      'FORTINET-FORTIGATE-MIB::fgSystemInfo*',
      'FORTINET-FORTIGATE-MIB::fgProcessor*',
      'FORTINET-FORTIGATE-MIB::fgHwSensorEntry',
    ],
  },
  {
    name: 'F5 processors, TMM memory',
    objects: ['F5-BIGIP-SYSTEM-MIB::sysMultiHostCpuEntry', 'F5-BIGIP-SYSTEM-MIB::sysTmmStatEntry*'],
  },
  { name: 'F5 pools, members, nodes, virtual servers', objects: ['F5-BIGIP-LOCAL-MIB::*'] },
  { name: 'Wireless access points', objects: ['record:access_point'] },
  { name: 'Radios', objects: ['record:radio'] },
  {
    name: 'Wireless clients',
    objects: ['record:wlan', 'AIRESPACE-WIRELESS-MIB::bsnMobileStationEntry'],
    missing:
      'clients one by one are a table with a row per person; the numbers by network, radio and access point are collected',
  },
  {
    name: 'VPN tunnels',
    objects: [
      'record:tunnel',
      'PAN-COMMON-MIB::panGPGatewayUtilization',
      'CISCO-REMOTE-ACCESS-MONITOR-MIB::*',
      'FORTINET-FORTIGATE-MIB::fgVpnSslStatsEntry',
    ],
    missing: 'tables with a row per user connection are on request',
  },
  {
    name: 'Licences',
    objects: ['record:licence'],
    missing:
      'licences of Cisco, Juniper and Palo Alto: no recorded device has rows of them, and no definition was written',
  },
  {
    name: 'Clusters, redundancy',
    objects: [
      'record:cluster_member',
      'F5-BIGIP-SYSTEM-MIB::sysCm*',
      'CHECKPOINT-MIB::ha*',
      'PAN-COMMON-MIB::panSys.ha',
      'CISCO-RF-MIB::*',
      'CISCO-FIREWALL-MIB::cfwHardwareStatusEntry',
      'CLAVISTER-MIB::clvHA',
    ],
  },
  {
    name: 'Stacks',
    objects: [
      'CISCO-STACKWISE-MIB::*',
      'HUAWEI-STACK-MIB::*',
      'HH3C-STACK-MIB::*',
      'JUNIPER-VIRTUALCHASSIS-MIB::*',
      'FOUNDRY-SN-STACKING-MIB::*',
      'ARUBAWIRED-VSF*',
      'EXTREME-STACKING-MIB::*',
    ],
  },
  { name: 'First hop redundancy', objects: ['VRRP-MIB::*', 'VRRPV3-MIB::*', 'CISCO-HSRP-MIB::*'] },
  { name: 'BGP neighbours', objects: ['BGP4-MIB::bgpPeerEntry', 'record:bgp_peer'] },
  {
    name: 'OSPF neighbours',
    objects: ['OSPF-MIB::ospfNbrEntry', 'OSPF-MIB::ospfVirtNbrEntry', 'OSPFV3-MIB::ospfv3NbrEntry'],
  },
  {
    name: 'Cisco memory, supplies, flash',
    objects: ['CISCO-ENHANCED-MEMPOOL-MIB::*', 'CISCO-ENTITY-FRU-CONTROL-MIB::*', 'CISCO-FLASH-MIB::*'],
  },
  {
    name: 'Juniper queues, FRUs, LEDs',
    objects: [
      'JUNIPER-COS-MIB::*',
      'JUNIPER-MIB::jnxFruEntry',
      'JUNIPER-MIB::jnxLEDEntry',
      'JUNIPER-IF-MIB::*',
    ],
    missing: 'queues have a row per queue and interface: on request',
  },
  {
    name: 'Huawei optics, WLAN controller, users of BRAS',
    objects: ['HUAWEI-ENTITY-EXTENT-MIB::hwOpticalModuleInfoEntry', 'HUAWEI-WLAN-*', 'HUAWEI-AAA-MIB::*'],
  },
  { name: 'H3C access points, transceivers', objects: ['HH3C-DOT11-*', 'HH3C-TRANSCEIVER-INFO-MIB::*'] },
  {
    name: 'H3C below 2011.10.2',
    objects: [],
    missing: 'no recorded device answers below it; what newer models have below 25506 is collected',
  },
  { name: 'Ruijie, ZTE', objects: ['vendor/ruijie', 'vendor/zte'] },
  { name: 'DCN, Maipu', objects: [], missing: noMibAndNoRecording },
  {
    name: 'Brocade optics and sensors',
    objects: ['FA-EXT-MIB::*', 'FCMGMT-MIB::connUnitSensorEntry', 'SW-MIB::swSensorEntry'],
  },
  {
    name: 'Foundry processors, temperatures, supplies, PoE',
    objects: ['FOUNDRY-SN-AGENT-MIB::*', 'FDRY-POE-MIB::*'],
  },
  { name: 'NetApp disks, aggregates, snapmirror', objects: ['NETAPP-MIB::*'] },
  { name: 'Synology disks, RAID', objects: ['SYNOLOGY-DISK-MIB::*', 'SYNOLOGY-RAID-MIB::*'] },
  {
    name: 'APC rPDU2, outlets, NetBotz',
    objects: [
      'PowerNet-MIB::rPDU2*',
      'PowerNet-MIB::rPDUOutletStatusEntry',
      'PowerNet-MIB::sPDUOutletControlEntry',
      'NETBOTZV2-MIB::*',
    ],
  },
  {
    name: 'MGE, Phoenixtec, Vertiv, Emerson',
    objects: ['MG-SNMP-UPS-MIB::*', 'vendor/phoenixtec', 'LIEBERT-GP-*', 'EMERSON-*'],
  },
  { name: 'UniFi radios and networks', objects: ['UBNT-UniFi-MIB::*'] },
  { name: 'IBM IMM', objects: ['vendor/ibm'] },
  { name: 'IBM Power', objects: [], missing: noMibAndNoRecording },
  { name: 'Sangfor, Venus, Topsec, Meru', objects: [], missing: noMibAndNoRecording },
  { name: 'Clavister', objects: ['vendor/clavister'] },
  {
    name: 'PIM, IGMP',
    objects: [],
    missing: 'their rows come and go with each group that a receiver joins; no definition was written',
  },
  { name: 'Squid', objects: ['SQUID-MIB::*'] },
  {
    name: 'Cameras',
    objects: ['vendor/hikvision', 'vendor/axis'],
    missing: 'others answer the standard MIBs',
  },
];
