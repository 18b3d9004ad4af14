import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { vocabularyRecords } from '../../src/definitions/vocabulary/records.ts';
import { sensorFields, sensorLabels } from '../../src/definitions/vocabulary/sensor-words.ts';
import { loadShippedDefinitions } from '../shipped/shipped.ts';

/** Pages and examples whose options name fields, records or metrics. Pages about definitions make up fields of their own. */
const ownFields =
  /^docs\/(definitions|definition-keys|comparing|errors|api-report)\.md$|^docs\/writing-|outputs\/otlp\/README|third-party|hello-collector|custom-definition/;

function readTexts(): { readonly path: string; readonly text: string }[] {
  const paths = ['docs', 'examples', 'plugins'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  );
  return ['README.md', ...paths]
    .filter((path) => /\.(md|yml)$/.test(path) && !path.includes('node_modules') && !ownFields.test(path))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}

const { compiled } = loadShippedDefinitions();
const attributes = [...compiled.objects.values()].flatMap((object) => [...object.attributes.values()]);
const fields = new Set(attributes.flatMap(({ fields: own }) => own.map(({ field }) => field)));
for (const { index } of compiled.objects.values()) {
  for (const { field } of index) if (field !== undefined) fields.add(field);
}
/** The page of what is collected names objects, and some of those look like fields (`UHP-MIB::system.processor`). */
for (const id of compiled.objects.keys()) fields.add(id.slice(id.indexOf('::') + 2));
/** What the poller and the vocabulary add. */
for (const word of [...Object.keys(sensorLabels), ...Object.keys(sensorFields)]) fields.add(word);
for (const [record, { labels, fields: own }] of Object.entries(vocabularyRecords)) {
  for (const word of [`${record}.id`, ...Object.keys(labels), ...Object.keys(own)]) fields.add(word);
}
/** A field may also be named by the beginning of its path. */
const isField = (name: string) =>
  fields.has(name) || [...fields].some((field) => field.startsWith(`${name}.`));

describe('options in pages and examples', () => {
  const texts = readTexts();

  it('name fields that the shipped definitions have', () => {
    const wrong = texts.flatMap(({ path, text }) =>
      [
        ...text.matchAll(
          /(?<![\w/.:-])(netif|system|cpu|memory|sensor|filesystem|bgp|ospf)(\.[a-z_]+)+\b(?![/(:])/g,
        ),
      ]
        .map(([name]) => name.replace(/_(rate|delta)$/, ''))
        .filter((name) => !/\.(yml|md|json|ts|js)$/.test(name) && !isField(name))
        .map((name) => `${path}: ${name}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('name records that the shipped definitions have', () => {
    const wrong = texts.flatMap(({ path, text }) =>
      [...text.matchAll(/(?:object|objects|record|records)[=:] ?\[?'?([A-Z][A-Z0-9-]*-MIB::\w+)/g)]
        .filter(([, id]) => !compiled.objects.has(id!))
        .map(([, id]) => `${path}: ${id}`),
    );
    assert.deepEqual(wrong, []);
  });
});
