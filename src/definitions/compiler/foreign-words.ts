import { findSyntax } from '../syntax/syntax-table.ts';
import { findVocabularyRecord, type VocabularyRecord } from '../vocabulary/records.ts';
import type { CompiledAttribute, CompiledDefinitions, CompiledObject } from './compiled-definitions.ts';
import type { ProblemList } from './problem-list.ts';

/** Reports labels and fields of a vocabulary's record that the vocabulary does not have, and values in another unit. */
export function reportForeignWords(
  { objects }: Pick<CompiledDefinitions, 'objects'>,
  problems: ProblemList,
): void {
  for (const object of objects.values()) {
    const words = findVocabularyRecord(object.record);
    if (words === undefined) continue;
    reportLabels(object, words, problems);
    for (const attribute of object.attributes.values()) reportFields(object, attribute, words, problems);
  }
}

function reportLabels(
  { id, record, labels, index, augments }: CompiledObject,
  words: VocabularyRecord,
  problems: ProblemList,
): void {
  for (const [label] of labels ?? []) {
    if (label in words.labels) continue;
    problems.add(
      'vocabulary-word',
      ['objects', id, 'labels', label],
      notIn(label, record, words.labels, problems),
    );
  }
  if (augments !== undefined) return;
  index.forEach(({ field }, position) => {
    if (field === undefined || field in words.labels) return;
    const path = ['objects', id, 'index', position, 'name'] as const;
    problems.add('vocabulary-word', path, notIn(field, record, words.labels, problems));
  });
}

function reportFields(
  { id, record }: CompiledObject,
  { name, fields, tag, metric, unit, syntax }: CompiledAttribute,
  words: VocabularyRecord,
  problems: ProblemList,
): void {
  const path = ['objects', id, 'attributes', name] as const;
  for (const { field, kind } of fields) {
    const known = tag ? words.labels : words.fields;
    if (!(field in known)) {
      problems.add('vocabulary-word', [...path, 'name'], notIn(field, record, known, problems));
      continue;
    }
    const wanted = words.fields[field];
    // A state has a name and, beside it, a number; neither has a unit.
    if (tag || wanted === undefined || field.endsWith('.id')) continue;
    const isNumber = kind === 'number' || kind === 'counter';
    if (!isNumber && wanted.unit === undefined) continue;
    const given = unit ?? findSyntax(syntax)?.unit;
    if (isNumber && (given ?? wanted.unit) === wanted.unit && metric === wanted.metric) continue;
    const message = `“${name}” writes ${field} as ${isNumber ? (metric ?? 'no metric') : 'text'} in ${given ?? 'no unit'}, but the vocabulary has it as ${wanted.metric ?? 'no metric'} in ${wanted.unit ?? 'no unit'}.`;
    problems.add('vocabulary-unit', [...path, 'unit'], message);
  }
}

function notIn(
  word: string,
  record: string,
  known: Readonly<Record<string, unknown>>,
  problems: ProblemList,
): string {
  const hint = problems.suggest(word, new Map(Object.entries(known)));
  return `The record “${record}” of the vocabulary has no “${word}”.${hint} docs/vocabulary.md lists its labels and fields; a table with others keeps a record of its own.`;
}
