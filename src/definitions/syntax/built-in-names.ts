import type { BuiltInNames } from './syntax.ts';

/**
 * The IANA registry of interface types (IANAifType-MIB), from 1 upwards; a hyphen stands for a number that has no name.
 */
const interfaceTypes = `
other regular1822 hdh1822 ddnX25 rfc877x25 ethernetCsmacd iso88023Csmacd iso88024TokenBus
iso88025TokenRing iso88026Man starLan proteon10Mbit proteon80Mbit hyperchannel fddi lapb sdlc ds1
e1 basicISDN primaryISDN propPointToPointSerial ppp softwareLoopback eon ethernet3Mbit nsip slip
ultra ds3 sip frameRelay rs232 para arcnet arcnetPlus atm miox25 sonet x25ple iso88022llc localTalk
smdsDxi frameRelayService v35 hssi hippi modem aal5 sonetPath sonetVT smdsIcip propVirtual
propMultiplexor ieee80212 fibreChannel hippiInterface frameRelayInterconnect aflane8023 aflane8025
cctEmul fastEther isdn v11 v36 g703at64k g703at2mb qllc fastEtherFX channel ieee80211 ibm370parChan
escon dlsw isdns isdnu lapd ipSwitch rsrb atmLogical ds0 ds0Bundle bsc async cnr iso88025Dtr eplrs
arap propCnls hostPad termPad frameRelayMPI x213 adsl radsl sdsl vdsl iso88025CRFPInt myrinet
voiceEM voiceFXO voiceFXS voiceEncap voiceOverIp atmDxi atmFuni atmIma pppMultilinkBundle
ipOverCdlc ipOverClaw stackToStack virtualIpAddress mpc ipOverAtm iso88025Fiber tdlc
gigabitEthernet hdlc lapf v37 x25mlp x25huntGroup transpHdlc interleave fast ip docsCableMaclayer
docsCableDownstream docsCableUpstream a12MppSwitch tunnel coffee ces atmSubInterface l2vlan
l3ipvlan l3ipxvlan digitalPowerline mediaMailOverIp dtm dcn ipForward msdsl ieee1394 if-gsn
dvbRccMacLayer dvbRccDownstream dvbRccUpstream atmVirtual mplsTunnel srp voiceOverAtm
voiceOverFrameRelay idsl compositeLink ss7SigLink propWirelessP2P frForward rfc1483 usb
ieee8023adLag bgppolicyaccounting frf16MfrBundle h323Gatekeeper h323Proxy mpls mfSigLink hdsl2
shdsl ds1FDL pos dvbAsiIn dvbAsiOut plc nfas tr008 gr303RDT gr303IDT isup propDocsWirelessMaclayer
propDocsWirelessDownstream propDocsWirelessUpstream hiperlan2 propBWAp2Mp sonetOverheadChannel
digitalWrapperOverheadChannel aal2 radioMAC atmRadio imt mvl reachDSL frDlciEndPt atmVciEndPt
opticalChannel opticalTransport propAtm voiceOverCable infiniband teLink q2931 virtualTg sipTg
sipSig docsCableUpstreamChannel econet pon155 pon622 bridge linegroup voiceEMFGD voiceFGDEANA
voiceDID mpegTransport sixToFour gtp pdnEtherLoop1 pdnEtherLoop2 opticalChannelGroup homepna gfp
ciscoISLvlan actelisMetaLOOP fcipLink rpr qam lmp cblVectaStar docsCableMCmtsDownstream adsl2
macSecControlledIF macSecUncontrolledIF aviciOpticalEther atmbond voiceFGDOS mocaVersion1
ieee80216WMAN adsl2plus dvbRcsMacLayer dvbTdm dvbRcsTdma x86Laps wwanPP wwanPP2 voiceEBS ifPwType
ilan pip aluELP gpon vdsl2 capwapDot11Profile capwapDot11Bss capwapWtpVirtualRadio bits
docsCableUpstreamRfPort cableDownstreamRfPort vmwareVirtualNic ieee802154 otnOdu otnOtu ifVfiType
g9981 g9982 g9983 aluEpon aluEponOnu aluEponPhysicalUni aluEponLogicalLink aluGponOnu
aluGponPhysicalUni vmwareNicTeam - - - - docsOfdmDownstream docsOfdmaUpstream gfast sdci
xboxWireless fastdsl docsCableScte55d1FwdOob docsCableScte55d1RetOob docsCableScte55d2DsOob
docsCableScte55d2UsOob docsCableNdf docsCableNdr ptm ghn otnOtsi otnOtuc otnOduc otnOtsig
microwaveCarrierTermination microwaveRadioLinkTerminal
`;

/** The IANA registry of IP protocol numbers, keywords in lower case, from 0 upwards; a hyphen has no keyword. */
const ipProtocols = `
hopopt icmp igmp ggp ipv4 st tcp cbt egp igp bbn-rcc-mon nvp-ii pup argus emcon xnet chaos udp mux
dcn-meas hmp prm xns-idp trunk-1 trunk-2 leaf-1 leaf-2 rdp irtp iso-tp4 netblt mfe-nsp merit-inp
dccp 3pc idpr xtp ddp idpr-cmtp tp++ il ipv6 sdrp ipv6-route ipv6-frag idrp rsvp gre dsr bna esp ah
i-nlsp swipe narp mobile tlsp skip ipv6-icmp ipv6-nonxt ipv6-opts - cftp - sat-expak kryptolan rvd
ippc - sat-mon visa ipcv cpnx cphb wsn pvp br-sat-mon sun-nd wb-mon wb-expak iso-ip vmtp
secure-vmtp vines ttp nsfnet-igp dgp tcf eigrp ospfigp sprite-rpc larp mtp ax.25 ipip micp scc-sp
etherip encap - gmtp ifmp pnni pim aris scps qnx a/n ipcomp snp compaq-peer ipx-in-ip vrrp pgm -
l2tp ddx iatp stp srp uti smp sm ptp isis fire crtp crudp sscopmce iplt sps pipe sctp fc
rsvp-e2e-ignore mobility-header udplite mpls-in-ip manet hip shim6 wesp rohc ethernet aggfrag nsh
`;

/** Names by number. */
export type NameTable = ReadonlyMap<number, string>;

/** The names that need no enum file: registries of IANA and textual conventions of RFC 4001. */
export const builtInNames: Readonly<Record<BuiltInNames, NameTable>> = {
  ifType: counted(interfaceTypes, 1),
  ipProtocol: counted(ipProtocols, 0),
  inetAddressType: new Map([
    [0, 'unknown'],
    [1, 'ipv4'],
    [2, 'ipv6'],
    [3, 'ipv4z'],
    [4, 'ipv6z'],
    [16, 'dns'],
  ]),
  inetVersion: new Map([
    [0, 'unknown'],
    [1, 'ipv4'],
    [2, 'ipv6'],
  ]),
  safi: new Map([
    [1, 'unicast'],
    [2, 'multicast'],
    [3, 'unicast-multicast'],
    [4, 'mpls-label'],
    [5, 'mcast-vpn'],
    [6, 'multi-segment-pseudowires'],
    [7, 'encapsulation'],
    [8, 'mcast-vpls'],
    [64, 'tunnel'],
    [65, 'vpls'],
    [66, 'mdt'],
    [67, '4over6'],
    [68, '6over4'],
    [69, 'l1vpn'],
    [70, 'evpn'],
    [71, 'link-state'],
    [72, 'link-state-vpn'],
    [73, 'sr-te-policy'],
    [128, 'mpls-vpn'],
    [129, 'mpls-vpn-multicast'],
    [132, 'route-target'],
    [133, 'flow-spec'],
    [134, 'flow-spec-vpn'],
    [140, 'vpn-auto-discovery'],
  ]),
};

/** Numbers the names of a list from `first`; a hyphen means that its number has no name. */
function counted(list: string, first: number): NameTable {
  const names = list.trim().split(/\s+/);
  return new Map(
    names.flatMap((name, position) => (name === '-' ? [] : [[first + position, name] as const])),
  );
}
