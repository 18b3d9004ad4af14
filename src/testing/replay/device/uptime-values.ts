import type { MovingValue } from '../moving-value.ts';
import { counting } from '../value-functions.ts';

/** The objects that tell how long an agent has been up, as far as a recording has them. */
export function uptimeValues(boots: () => number): readonly MovingValue[] {
  return [
    { under: sysUpTime, at: counting(100) },
    { under: snmpEngineTime, at: counting(1) },
    { under: snmpEngineBoots, at: boots },
  ];
}

const sysUpTime = '1.3.6.1.2.1.1.3.0';
const snmpEngineBoots = '1.3.6.1.6.3.10.2.1.2.0';
const snmpEngineTime = '1.3.6.1.6.3.10.2.1.3.0';
