import type { Dimension } from '../syntax/syntax.ts';

/** What a class of sensors measures. */
export interface SensorClass {
  /** Of the value; undefined for a class that has only a state. */
  readonly unit: string | undefined;
  /** Where the decoder's options choose the unit. */
  readonly dimension?: Dimension;
  readonly meaning: string;
}

/** The classes of the record `sensor`. One class, one unit, whatever the vendor. */
export const sensorClasses = {
  temperature: { unit: '°C', meaning: 'Temperature' },
  voltage: { unit: 'V', meaning: 'Voltage' },
  current: { unit: 'A', meaning: 'Electric current, also the bias current of a laser' },
  power: { unit: 'W', meaning: 'Active power' },
  apparent_power: { unit: 'VA', meaning: 'Apparent power' },
  reactive_power: { unit: 'var', meaning: 'Reactive power' },
  power_factor: { unit: '1', meaning: 'Active power divided by apparent power, from 0 to 1' },
  energy: { unit: 'J', meaning: 'Energy used' },
  frequency: { unit: 'Hz', meaning: 'Frequency' },
  fan_speed: { unit: 'rpm', meaning: 'Revolutions of a fan per minute' },
  fan_level: { unit: '%', dimension: 'percent', meaning: 'Speed of a fan as a part of its maximum' },
  humidity: { unit: '%', dimension: 'percent', meaning: 'Relative humidity' },
  pressure: { unit: 'Pa', meaning: 'Pressure' },
  airflow: { unit: 'm³/s', meaning: 'Volume of air that passes' },
  water_flow: { unit: 'm³/s', meaning: 'Volume of water that passes' },
  signal: { unit: 'dBm', meaning: 'Power of a signal, optical or radio' },
  snr: { unit: 'dB', meaning: 'Signal above noise' },
  gain: { unit: 'dB', meaning: 'Ratio of two powers: gain, attenuation, return loss' },
  load: { unit: '%', dimension: 'percent', meaning: 'Used part of a capacity, such as of a supply' },
  charge: { unit: '%', dimension: 'percent', meaning: 'Charge of a battery' },
  level: { unit: '%', dimension: 'percent', meaning: 'Any other percentage' },
  runtime: { unit: 'ms', dimension: 'duration', meaning: 'Time that is left, or that has passed in a state' },
  delay: { unit: 'ms', dimension: 'duration', meaning: 'Time that something takes' },
  bitrate: { unit: 'bit/s', meaning: 'Bits per second' },
  count: { unit: '1', meaning: 'Number of things, such as of active clients' },
  error_ratio: { unit: '1', meaning: 'Errors divided by all' },
  distance: { unit: 'm', meaning: 'Distance' },
  wavelength: { unit: 'm', meaning: 'Wavelength of light' },
  quality: { unit: '1', meaning: 'A measure of quality without a unit, such as MSE or the Q factor' },
  dispersion: { unit: 'ps/nm', meaning: 'Chromatic dispersion' },
  state: { unit: undefined, meaning: 'A state without a value, such as of a fan, a supply or a disk' },
} as const satisfies Record<string, SensorClass>;

export type SensorClassName = keyof typeof sensorClasses;
export const sensorClassNames = Object.keys(sensorClasses) as readonly SensorClassName[];

/** What a sensor belongs to. */
export const sensorParts = {
  battery: 'A battery or a set of batteries',
  bank: 'A bank of a power distribution unit',
  chassis: 'The chassis, the board or the device as a whole',
  cluster: 'A member of a cluster or a stack, or their connection',
  cpu: 'A processor',
  disk: 'A disk, a volume or an array of disks',
  fan: 'A fan or a tray of fans',
  licence: 'A licence',
  link: 'A connection, a port or a tunnel',
  memory: 'A module of memory',
  module: 'A module, a line card or a blade',
  outlet: 'An outlet or a port that supplies power',
  phase: 'A phase of alternating current',
  probe: 'A probe that measures its surroundings, or an input that a contact closes',
  radio: 'A radio',
  service: 'A service or a process',
  supply: 'A power supply or a rectifier',
  transceiver: 'A pluggable optical or copper module',
  ups: 'An uninterruptible power supply',
} as const;

export type SensorPart = keyof typeof sensorParts;
export const sensorPartNames = Object.keys(sensorParts) as readonly SensorPart[];

export const sensorDirections = {
  rx: 'What is received',
  tx: 'What is transmitted',
  input: 'What comes in, such as from the mains',
  output: 'What goes out, to the load',
} as const;

export type SensorDirection = keyof typeof sensorDirections;
export const sensorDirectionNames = Object.keys(sensorDirections) as readonly SensorDirection[];

/** The states of `sensor.state`. A value that a definition does not name is `unknown`. */
export const sensorStates = ['ok', 'warning', 'critical', 'unknown'] as const;
export type SensorState = (typeof sensorStates)[number];

/** Limits by keyword, and the field of each. */
export const sensorLimits = {
  low_critical: 'sensor.low.critical',
  low_warning: 'sensor.low.warning',
  high_warning: 'sensor.high.warning',
  high_critical: 'sensor.high.critical',
} as const;

export type SensorLimit = keyof typeof sensorLimits;
export const sensorLimitNames = Object.keys(sensorLimits) as readonly SensorLimit[];

export const sensorLabels = {
  'sensor.id': 'Attribute and instance, such as `entPhySensorValue.1001`: unique on its device',
  'sensor.name': 'Name for people',
  'sensor.class': 'One of the classes below',
  'sensor.unit': 'Unit of the value; none for the class `state`',
  'sensor.part': 'What it belongs to, where the definition says it',
  'sensor.direction': 'Which side it measures, where there are two',
  'sensor.location': 'Where it is, where the device says it',
} as const;

export const sensorFields = {
  'sensor.value': {
    kind: 'number',
    meaning: 'The value in the unit of its class; none for the class `state`',
  },
  'sensor.state': {
    kind: 'text',
    meaning: '`ok`, `warning`, `critical` or `unknown`, where the device has a state',
  },
  'sensor.status': { kind: 'text', meaning: 'The state in the word of the vendor' },
  'sensor.low.critical': { kind: 'number', meaning: 'Below this value it is a fault' },
  'sensor.low.warning': { kind: 'number', meaning: 'Below this value it needs attention' },
  'sensor.high.warning': { kind: 'number', meaning: 'Above this value it needs attention' },
  'sensor.high.critical': { kind: 'number', meaning: 'Above this value it is a fault' },
} as const;
