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
