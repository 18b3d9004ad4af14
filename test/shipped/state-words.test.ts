import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { normalizeOid } from '../../src/model/oid.ts';
import { loadShippedDefinitions } from './shipped.ts';

const { raw } = loadShippedDefinitions();

/** Every state of a sensor that has a word in an enum, with what the sensor says of it. */
const states = [...raw.objects].flatMap(([id, { attributes }]) =>
  Object.entries(attributes).flatMap(([name, { oid, sensor }]) => {
    if (sensor?.state === undefined) return [];
    const { of = name, ...levels } = sensor.state;
    const words = raw.integerEnums.get(normalizeOid(attributes[of]?.oid ?? oid)!);
    return Object.entries(words ?? {}).map(([number, word]) => {
      const fits = (list: readonly (number | string)[] = []) =>
        list.some((value) => String(value) === number || String(value).toLowerCase() === word.toLowerCase());
      const level = (['ok', 'warning', 'critical'] as const).find((known) => fits(levels[known]));
      return { word, level: level ?? 'unknown', text: `${id}/${name}: ${word} is ${level ?? 'unknown'}` };
    });
  }),
);

describe('the states of the shipped sensors', () => {
  it('are ok where the word of the MIB says that nothing is wrong', () => {
    const fine = /^(ok|okay|normal|healthy|cleared|no_?(violation|fault|alarm|error|failure))$/i;
    const wrong = states.filter(({ word, level }) => fine.test(word) && level !== 'ok');
    assert.deepEqual(
      wrong.map(({ text }) => text),
      // Raritan has one list of states for all kinds of sensors; outlets have only on and off.
      [
        'PDU2-MIB::outletSwitchControlEntry/outletSwitchingState: normal is unknown',
        'PDU2-MIB::outletSwitchControlEntry/outletSwitchingState: ok is unknown',
      ],
    );
  });

  it('are not ok where the word of the MIB says a fault', () => {
    const faulty =
      /^(?!no|non|not|un|in|clear|statusNo).*(fail(ed|ure)|fault|critical|error|violation|broken)/i;
    const wrong = states.filter(({ word, level }) => faulty.test(word) && level === 'ok');
    assert.deepEqual(
      wrong.map(({ text }) => text),
      [],
    );
  });
});
