import colours from 'picocolors';
import type { Problem } from '../../model/definition-changes.ts';

/** Problems of definition files as people read them: the place, the rule, and what it is. */
export function formatProblems(problems: readonly Problem[]): string[] {
  return problems.map(({ level, file, line, column, rule, message }) => {
    const paint = level === 'error' ? colours.red : colours.yellow;
    return `${colours.bold(`${file}:${line}:${column}`)}  ${paint(level)}  ${colours.dim(rule)}\n  ${message}`;
  });
}
