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
