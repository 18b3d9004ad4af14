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
