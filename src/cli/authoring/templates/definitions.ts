import type { PackageTemplate } from './package-template.ts';

/** Definitions of one MIB with a recording that a test polls. */
export const definitionsTemplate: PackageTemplate = (name) => ({
  'README.md': `# ${name}

Definitions for Waywiser: the fans of a made-up maker, with a recording of one of its devices and a test that polls it.

\`\`\`sh
npm install && npm test
\`\`\`

\`npm test\` checks the files, the style guide included, then polls the recording with a real collector. Then put your own MIB
in the place of the made-up one:

1. \`waywiser record --redact DEVICE fan.snmprec\` records your device.
2. \`waywiser coverage fan.snmprec\` shows the tables that nothing collects yet.
3. Write the object into \`definitions/objects/\`, name it in an object group, that group in a device group, and the device
   group in \`definitions/autodiscover/sysoids/\`.
4. Say in \`index.test.js\` what must come out.

In \`waywiser.yml\`, beside the definitions that ship:

\`\`\`yaml
plugins:
  definitions-loader: { directories: [node_modules/waywiser/definitions, ./${name}/definitions, ./devices] }
\`\`\`
`,
  'definitions/defaults/object_types.yml': `# As those that ship, so that these files stand on their own.
dynamic: { poll_interval: 60 }
static: { poll_interval: 3600 }
`,
  'definitions/objects/example-fan-mib.yml': `# What the MIB calls fanTable. Enterprise 32473 is set aside for examples (RFC 5612).
EXAMPLE-FAN-MIB::fanEntry:
  mib: EXAMPLE-FAN-MIB
  object: fanEntry
  type: dynamic
  index:
    - { type: Integer, oid: .1.3.6.1.4.1.32473.7.2.1.1, name: fan.index, syntax: IntegerAsID }
  discovery_attribute: fanState
  attributes:
    fanName:
      oid: .1.3.6.1.4.1.32473.7.2.1.2
      name: fan.name
      syntax: DisplayString
      tag: true
      description: Where the fan is
    fanState:
      oid: .1.3.6.1.4.1.32473.7.2.1.3
      name: fan.state
      syntax: EnumIntegerKeepID
      description: Whether the fan turns
    fanSpeed:
      oid: .1.3.6.1.4.1.32473.7.2.1.4
      name: fan.speed
      syntax: Gauge32
      metric: gauge
      unit: rpm
      description: How fast the fan turns
    fanStalls:
      oid: .1.3.6.1.4.1.32473.7.2.1.5
      name: fan.stalls
      syntax: Counter32
      metric: counter
      description: How often the fan stood still
    fanAirDecimals:
      oid: .1.3.6.1.4.1.32473.7.2.1.6
      syntax: none
      description: Decimal places of the temperature
    fanAirTemperature:
      oid: .1.3.6.1.4.1.32473.7.2.1.7
      name: fan.temperature
      syntax: TemperatureC
      metric: gauge
      scale: { precision: fanAirDecimals }
      description: How warm the air is that the fan moves
`,
  'definitions/enums/integer/example-fan-mib.yml': `# fanState
.1.3.6.1.4.1.32473.7.2.1.3:
  1: turning
  2: stalled
  3: absent
`,
  'definitions/object_groups/fans.yml': `fans:
  objects: [EXAMPLE-FAN-MIB::fanEntry]
`,
  'definitions/device_groups/fans.yml': `# With the definitions that ship, add their groups: [system, interfaces, fans].
example-fans:
  object_groups: [fans]
`,
  'definitions/autodiscover/sysoids/fans.yml': `# Every device of the maker; the longest prefix wins.
.1.3.6.1.4.1.32473.7: example-fans
`,
  'fan.snmprec': `1.3.6.1.2.1.1.1.0|4|Example fan tray FT-2
1.3.6.1.2.1.1.2.0|6|1.3.6.1.4.1.32473.7.1.2
1.3.6.1.2.1.1.3.0|67|8640000
1.3.6.1.2.1.1.5.0|4|fans.example.net
1.3.6.1.4.1.32473.7.2.1.2.1|4|front
1.3.6.1.4.1.32473.7.2.1.2.2|4|rear
1.3.6.1.4.1.32473.7.2.1.3.1|2|1
1.3.6.1.4.1.32473.7.2.1.3.2|2|2
1.3.6.1.4.1.32473.7.2.1.4.1|66|4200
1.3.6.1.4.1.32473.7.2.1.4.2|66|0
1.3.6.1.4.1.32473.7.2.1.5.1|65|0
1.3.6.1.4.1.32473.7.2.1.5.2|65|3
1.3.6.1.4.1.32473.7.2.1.6.1|2|1
1.3.6.1.4.1.32473.7.2.1.6.2|2|2
1.3.6.1.4.1.32473.7.2.1.7.1|2|215
1.3.6.1.4.1.32473.7.2.1.7.2|2|3580
`,
  'index.test.js': `import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { rowsOf } from 'waywiser';
import { pollRecording } from 'waywiser/testing';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
let batches;

// The device group is found by the sysObjectID of the recording.
before(async () => {
  batches = await pollRecording({ definitions: [here('definitions')], recording: here('fan.snmprec') });
});

it('recognises the device and asks for its fans alone', () => {
  assert.deepEqual(
    batches.map(({ record }) => record),
    ['EXAMPLE-FAN-MIB::fanEntry'],
  );
});

it('makes a row of each fan', () => {
  const fans = [...rowsOf(batches[0])];
  assert.deepEqual(
    fans.map(({ labels }) => labels),
    [
      { 'fan.index': '1', 'fan.name': 'front' },
      { 'fan.index': '2', 'fan.name': 'rear' },
    ],
  );
  assert.deepEqual(fans[1].values, {
    'fan.state.name': 'stalled',
    'fan.state.id': 2,
    'fan.speed': 0,
    'fan.stalls': 3,
    'fan.temperature': 35.8,
  });
});
`,
});
