import { vocabularyRecords } from '../../src/definitions/vocabulary/records.ts';
import { sensorClasses } from '../../src/definitions/vocabulary/sensor-classes.ts';
import { sensorDirections, sensorParts } from '../../src/definitions/vocabulary/sensor-parts.ts';
import { sensorFields, sensorLabels } from '../../src/definitions/vocabulary/sensor-words.ts';
import { renderTable } from './markdown-table.ts';

/** The text of docs/vocabulary.md. */
export function renderVocabulary(): string {
  return [
    '# Vocabulary',
    'The same thing has the same name on every device. A temperature of a Cisco switch, of a UPS and of a server is a row of the record `sensor`, with the same labels, fields and units. So one dashboard and one alert rule fit all vendors.',
    'Definitions choose these words with [`sensor`, `record` and `labels`](definition-keys.md). `waywiser check` reports a class, a label, a field or a unit that is not on this page. What fits no record here keeps a record of its own, with the id of its object.',
    '```sh\nwaywiser poll core-1                      # every record of a device, sensors included\n```',
    '## The record `sensor`',
    'One row for each sensor. Devices have one batch of it for each interval.',
    renderTable(
      ['label', 'meaning'],
      Object.entries(sensorLabels).map(([label, meaning]) => [`\`${label}\``, meaning]),
    ),
    renderTable(
      ['field', 'kind', 'meaning'],
      Object.entries(sensorFields).map(([field, { kind, meaning }]) => [`\`${field}\``, kind, meaning]),
    ),
    'A limit has no value where the device or the definition has none. A value with which a device says that there is none, such as -1, is a gap with the reason `absent`.',
    '### Classes',
    renderTable(
      ['class', 'unit', 'meaning'],
      Object.entries(sensorClasses).map(([name, { unit, meaning }]) => [
        `\`${name}\``,
        unit === undefined ? 'none' : `\`${unit}\``,
        meaning,
      ]),
    ),
    'Percentages and durations follow the options `percent_of` and `duration_unit` of the plugin snmp-poller; the label `sensor.unit` has the unit.',
    '### Parts and directions',
    renderTable(
      ['part', 'meaning'],
      Object.entries(sensorParts).map(([name, meaning]) => [`\`${name}\``, meaning]),
    ),
    renderTable(
      ['direction', 'meaning'],
      Object.entries(sensorDirections).map(([name, meaning]) => [`\`${name}\``, meaning]),
    ),
    'Optical transceivers are sensors of the part `transceiver` with a direction: `signal` is the light that is received or sent, `current` the bias current of the laser.',
    ...renderRecords(),
  ]
    .join('\n\n')
    .concat('\n');
}

function renderRecords(): string[] {
  return Object.entries(vocabularyRecords).flatMap(([name, record]) => {
    const { meaning, labels, fields } = record;
    const id = `\`${name}.id\``;
    const pool =
      'pool' in record
        ? [
            'The poller computes the size, the used and the free part and the usage that a device does not have from two others.',
          ]
        : [];
    return [
      `## The record \`${name}\``,
      `${meaning}.`,
      renderTable(
        ['label', 'meaning'],
        [
          [id, 'Entry and instance: unique on its device'],
          ...Object.entries(labels).map(([label, what]) => [`\`${label}\``, what]),
        ],
      ),
      renderTable(
        ['field', 'unit', 'metric', 'meaning'],
        Object.entries<{ unit?: string; metric?: string; meaning: string }>(fields).map(
          ([field, { unit, metric, meaning: what }]) => [
            `\`${field}\``,
            unit === undefined ? '' : `\`${unit}\``,
            metric ?? '',
            what,
          ],
        ),
      ),
      ...pool,
    ];
  });
}
