import type { CompiledAttribute } from '../compiler/compiled-definitions.ts';
import { findSyntax } from '../syntax/syntax-table.ts';
import type { ReportStyle } from './style-rules.ts';

/** Checks one attribute on its own. */
export function checkAttribute(object: string, attribute: CompiledAttribute, report: ReportStyle): void {
  const { name, metric, syntax, unit, fields, scale } = attribute;
  const path = ['objects', object, 'attributes', name] as const;
  checkDescription(attribute, path, report);
  const [own] = fields;
  if (own === undefined) return;
  const isNumber = own.kind === 'number' || own.kind === 'counter';
  if (metric !== undefined && !isNumber) {
    const message = `“${name}” is a ${metric}, but its syntax ${syntax} does not make a number. Remove the metric, or choose a numeric syntax.`;
    report('style-metric', [...path, 'metric'], message);
  }
  const made = findSyntax(syntax)?.unit;
  if (metric === 'gauge' && isNumber && (unit ?? made) === undefined && scale?.prefix === undefined) {
    const message = `“${name}” is a gauge without a unit. Choose a syntax that has one, or add \`unit\`; use "1" for a plain number.`;
    report('style-unit', path, message);
  }
  if (made !== undefined && unit !== undefined && unit !== made) {
    const message = `“${name}” has the unit “${unit}”, but its syntax ${syntax} has “${made}”. Remove the unit, or choose another syntax.`;
    report('style-unit-again', [...path, 'unit'], message);
  }
}

const descriptionLength = { least: 4, most: 120 };

function checkDescription(
  { name, description = '' }: CompiledAttribute,
  path: readonly ['objects', string, 'attributes', string],
  report: ReportStyle,
): void {
  const { least, most } = descriptionLength;
  if (description === '') {
    report(
      'style-description',
      path,
      `“${name}” has no description. Say in one line what it means to an operator.`,
    );
  } else if (description.length < least || description.length > most || /\n|\.$/.test(description)) {
    const message = `The description of “${name}” is not one line of ${least} to ${most} characters without a full stop. Rewrite it.`;
    report('style-description', [...path, 'description'], message);
  }
}
