import { isClose, type OwnValue } from './own-value.ts';

/** Why our value is not the number that the other system shows. */
export interface Difference {
  /** `unit`: the same quantity in another unit. `no value`: no value here to compare. `explained`: theirs is another number, and why. */
  readonly kind: 'unit' | 'no value' | 'explained';
  readonly says: string;
}

/** The reason for a difference; undefined where none is known. */
export function explainDifference(
  own: OwnValue,
  kind: string,
  theirs: number,
  attribute: string,
): Difference | undefined {
  return (
    rules.find(({ holds }) => holds(own, kind, theirs)) ??
    explained(explanations[attribute.replace(/^.*\//, '')], own, theirs)
  );
}

function explained(
  explanation: Explanation | undefined,
  { value, raw }: OwnValue,
  theirs: number,
): Difference | undefined {
  if (explanation === undefined) return undefined;
  const { times, says } = explanation;
  if (times !== undefined && !isClose((value as number) * times, theirs) && !isClose(raw * times, theirs))
    return undefined;
  return { kind: 'explained', says };
}

interface Rule extends Difference {
  readonly holds: (own: OwnValue, kind: string, theirs: number) => boolean;
}

/** These look only at the value, what the device sends and what the definition says. */
const rules: readonly Rule[] = [
  {
    kind: 'no value',
    says: 'the recording lacks the column with the unit or the scale',
    holds: ({ value }) => value === 'not recorded',
  },
  {
    kind: 'no value',
    says: 'the device says that there is no value',
    holds: ({ value }) => value === 'absent',
  },
  {
    kind: 'explained',
    says: 'theirs leaves out a column of the row that has the unit or the scale',
    holds: ({ isScaledByRow, plain, raw }, _, theirs) =>
      isScaledByRow && (isClose(plain, theirs) || isClose(raw, theirs)),
  },
  {
    kind: 'unit',
    says: 'theirs is in milliamperes: SFF-8472 ends the bias current of a laser at 131 mA',
    holds: ({ value, attribute }, kind, theirs) =>
      kind === 'current' &&
      attribute.sensor?.part === 'transceiver' &&
      theirs > 0.131 &&
      typeof value === 'number' &&
      value <= 0.131 &&
      isClose(10 ** Math.round(Math.log10(theirs / value)) * value, theirs),
  },
  {
    kind: 'unit',
    says: 'theirs is the number as it is sent, without the prefix of its unit',
    holds: ({ value, raw, attribute }, _, theirs) =>
      typeof value === 'number' &&
      prefixed.test(attribute.syntax) &&
      isClose(raw, theirs) &&
      !isClose(value, theirs),
  },
  {
    kind: 'unit',
    says: 'theirs is in milliwatts',
    holds: ({ value, attribute }, kind, theirs) =>
      kind === 'dbm' &&
      attribute.syntax === 'SignalMilliWatt' &&
      typeof value === 'number' &&
      isClose(10 ** (value / 10), theirs),
  },
  {
    kind: 'explained',
    says: 'theirs shows the number of a channel as its frequency',
    holds: ({ attribute }, kind) => kind === 'wireless frequency' && /channel/.test(attribute.name ?? ''),
  },
  {
    kind: 'unit',
    says: 'theirs shows no power as -60 dBm',
    holds: ({ value, unit }, kind, theirs) => kind === 'dbm' && unit === 'W' && value === 0 && theirs === -60,
  },
];

/** Syntaxes whose unit has a prefix that the MIB states. */
const prefixed =
  /^(Bandwidth[KMG]|Freq[KMG]|Bytes[KMG]|Power(Kilo|Milli)|Length(Kilo|Milli)|\w+(Deci|Centi|Milli)(?!Sec))/;

interface Explanation {
  /** Theirs divided by our value, or by the number as it is sent; any number where it is left out. */
  readonly times?: number;
  readonly says: string;
}

/** By attribute: which side is right, and the evidence. */
const explanations: Readonly<Record<string, Explanation>> = {
  afLTUStaRemoteDistance: {
    times: 1,
    says: 'theirs shows metres as kilometres, as the MIB says; no radio link is 10,955 km long',
  },
  upsAdvOutputLoad: { says: 'theirs comes from another object: the recording has 31' },
  bcnDnsSerOperState: { says: 'theirs comes from another object: the recording has 2' },
  ddmRxPower: { says: 'column 36 of the row has the same power as -3.9794 dBm, which is 0.4 mW' },
  ddmTxPower: { says: 'column 31 of the row has the same power as -3.0103 dBm, which is 0.5 mW' },
  hzQtmModemTxSpeed: { times: 0.001, says: 'theirs is in kbit/s' },
  hzQtmModemRxSpeed: { times: 0.001, says: 'theirs is in kbit/s' },
  maxNetBitrate: { times: 0.001, says: 'theirs is in kbit/s' },
  outletStatusWH: { says: 'theirs rounds to 0: 272,099 tenths of a watt-hour are 27.2 kWh' },
  realEnergyL1: { says: 'theirs shows watt-hours as kilowatt-hours' },
  realEnergyL2: { says: 'theirs shows watt-hours as kilowatt-hours' },
  realEnergyL3: { says: 'theirs shows watt-hours as kilowatt-hours' },
  realEnergySum: { says: 'theirs shows watt-hours as kilowatt-hours' },
  reactiveEnergySum: { says: 'theirs shows var-hours as kilowatt-hours' },
  nsExtendOutLine: { says: 'ours is the line of text that a script prints' },
  laLoadInt: { says: 'theirs shows another row of the load: the recording has 0 and 10' },
  nptChassisPowerCurrentPowerConsumption: {
    says: 'ours is the product of voltage and current in the same row',
  },
  SINR: { times: -1, says: 'theirs reverses the sign: the recording has 14.1' },
  rfOperationalFrequency: { times: 0.001, says: 'theirs is in GHz' },
  radioNormalizedMse: { times: 10, says: 'theirs leaves out the scale: the MIB says steps of 0.1 dB' },
  radioXpd: { times: 10, says: 'theirs leaves out the scale: the MIB says tenths of a dB' },
  linkAcmRxModulation: { says: 'theirs is 0: the recording has the bits per symbol' },
  linkAcmTxModulation: { says: 'theirs is 0: the recording has the bits per symbol' },
  linkRxETHCapacity: { says: 'theirs adds the two radios of the link, in kbit/s' },
  linkTxETHCapacity: { says: 'theirs adds the two radios of the link, in kbit/s' },
  inBytes1: { times: 1 / 8, says: 'theirs divides octets by 8' },
  s5ChasComOperState: {
    says: 'theirs is 0, which the MIB does not have: the recording has 5, normal, and others',
  },
  outBytesC: { times: 1 / 8, says: 'theirs divides octets by 8' },
  outBytesP1: { times: 1 / 8, says: 'theirs divides octets by 8' },
  queueLenBP1: { times: 1 / 8, says: 'theirs divides octets by 8' },
  queueLenPP1: { says: 'theirs has two values of this OID: the recording has 3' },
  sectionBW: { times: 1 / 8, says: 'theirs divides bits by 8: the MIB says bits per second' },
  outBytesA: { times: 1 / 8, says: 'theirs divides octets by 8' },
  inLvl1: { times: -1, says: 'theirs leaves out the sign: received power is below 1 mW' },
  inLvl2: { times: -1, says: 'theirs leaves out the sign: received power is below 1 mW' },
  txLevel: { times: -1, says: 'theirs leaves out the sign: the level is below 1 mW' },
  lbandSNR1: { says: 'theirs is the Eb/N0 that it computes, shown as a temperature' },
  unifiVapNumStations: { says: 'theirs adds the networks of a radio' },
  rpduPower: {
    times: 0.01,
    says: 'theirs is 100 times too small: 230 V and 1.9 A with a power factor of 0.81 are 350 W',
  },
  capwapOnlineAP: { says: 'theirs is 0: the recording has 35' },
  loadCurrentValue: {
    times: 10,
    says: 'theirs leaves out the tenths: the rectifiers give 5.7 A, and the battery takes 0.1 A of it',
  },
  biasCurrent: { says: 'theirs is of another lane: the text has those of all, and the first one is ours' },
  transpowerCurrent: {
    says: 'theirs is of another lane: the text has those of all, and the first one is ours',
  },
  receivepowerCurrent: {
    says: 'theirs is of another lane: the text has those of all, and the first one is ours',
  },
  cpuLoad5s: {
    says: 'theirs is the number in the name of the interval in both recordings: 5 seconds, 1 minute, 5 minutes',
  },
  cpuLoad1m: {
    says: 'theirs is the number in the name of the interval in both recordings: 5 seconds, 1 minute, 5 minutes',
  },
  cpuLoad5m: {
    says: 'theirs is the number in the name of the interval in both recordings: 5 seconds, 1 minute, 5 minutes',
  },
  xfPMCurrentES: { says: 'theirs shows seconds as minutes' },
  xfPMCurrentSES: { says: 'theirs shows seconds as minutes' },
  xfPMCurrentUAS: { says: 'theirs shows seconds as minutes' },
};
