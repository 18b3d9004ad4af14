import { nameText } from './name-text.ts';

/** A field as part of a metric name, without the words that `promtool check metrics` refuses. They are joined to the next word, or to the last one. */
export function metricName(field: string): string {
  const parts: string[] = [];
  let carried = '';
  for (const word of `_${nameText(field)}`.replace(reservedSuffixes, '').split('_').filter(Boolean)) {
    carried += word;
    if (isRefused(carried)) continue;
    parts.push(carried);
    carried = '';
  }
  while (carried !== '' && parts.length > 0) {
    const joined = parts.pop()! + carried;
    carried = isRefused(joined) ? joined : '';
    if (carried === '') parts.push(joined);
  }
  if (parts.length === 0) return `${carried || nameText(field).replaceAll('_', '')}value`;
  return parts.join('_');
}

/** Whether promtool has no complaint about a name that contains the unit. */
export function isUnitAccepted(unit: string): boolean {
  return unit.split('_').every((word) => !isRefused(word)) && !reservedSuffixes.test(`_${unit}`);
}

/** Readers of Prometheus' formats give these a meaning, which the name of a field does not have. */
const reservedSuffixes = /(_(total|info|created|count|sum|bucket))+$/;

/** Types of metrics, abbreviations of units, and units that are no base units. */
function isRefused(word: string): boolean {
  return types.has(word) || abbreviations.has(word) || isOtherUnit(word);
}

const types = new Set(['counter', 'gauge', 'summary', 'histogram', 'untyped']);
const abbreviations = new Set('s ms us ns sec b kb mb gb tb pb m h d'.split(' '));
const baseUnits = new Set(
  'amperes bytes celsius grams joules kelvin meters metres moles seconds volts'.split(' '),
);
const otherUnits = new Set(
  'minutes hours days weeks kelvins fahrenheit rankine inches yards miles bits calories pounds ounces'.split(
    ' ',
  ),
);
const unitPrefixes =
  /^(pico|nano|micro|milli|centi|deci|deca|hecto|kilo|kibi|mega|mibi|mebi|giga|gibi|tera|tebi|peta|pebi)/;

function isOtherUnit(word: string): boolean {
  if (otherUnits.has(word)) return true;
  const unit = word.replace(unitPrefixes, '');
  return unit !== word && (baseUnits.has(unit) || otherUnits.has(unit));
}
