import { hostText } from './host.ts';
import { printerText } from './printer.ts';
import { rackSensorsText } from './rack-sensors.ts';
import { routerText } from './router.ts';
import { switchText } from './switch.ts';
import { upsText } from './ups.ts';

/** Each recording's file name, without `.snmprec`, and what makes its text. */
export const madeUpRecordings: ReadonlyMap<string, () => string> = new Map([
  ['switch', switchText],
  ['router', routerText],
  ['host', hostText],
  ['ups', upsText],
  ['printer', printerText],
  ['rack-sensors', rackSensorsText],
]);
