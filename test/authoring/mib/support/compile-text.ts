import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MibSet } from '../../../../authoring/mib/index.ts';

/** For `StepCounter`: compiles hostile texts of a size. */
export function compileHostile(
  name: keyof typeof hostileTexts,
  size: number,
): { problems: number; nodes: number } {
  const folder = mkdtempSync(join(tmpdir(), 'waywiser-mib-'));
  try {
    const text = hostileTexts[name](size);
    writeFileSync(join(folder, 'T-MIB'), `T-MIB DEFINITIONS ::= BEGIN\n${text}\nEND\n`);
    const set = new MibSet([folder]);
    return { nodes: set.counts().nodes, problems: set.problems().length };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const numbers = (size: number) => Array.from({ length: size }, (_, i) => i);
const node = (name: string, value: string) => `${name} OBJECT IDENTIFIER ::= { ${value} }\n`;

/** Texts that cost the square of their size, or the stack, where a compiler is careless. */
export const hostileTexts = {
  'opening braces': (size: number) => `a OBJECT-TYPE SYNTAX INTEGER DEFVAL ${'{'.repeat(size)}`,
  'opening parentheses': (size: number) => `A ::= INTEGER ${'('.repeat(size)}`,
  'nested sequences': (size: number) => `A ::= ${'SEQUENCE { a '.repeat(size)}${'}'.repeat(size)}`,
  'nested types': (size: number) => `A ::= ${'SEQUENCE OF '.repeat(size)}`,
  'nested braces of an OID': (size: number) => `a OBJECT IDENTIFIER ::= ${'{ b '.repeat(size)}`,
  'modules without END': (size: number) =>
    numbers(size)
      .map((i) => `M${i} DEFINITIONS ::= BEGIN\n`)
      .join(''),
  'modules of one file': (size: number) =>
    `END ${numbers(size)
      .map((i) => `M${i} DEFINITIONS ::= BEGIN IMPORTS a FROM M${i + 1}; END\n`)
      .join('')}`,
  'objects of one enumeration': (size: number) =>
    `E ::= INTEGER { ${numbers(100)
      .map((i) => `a${i}(${i})`)
      .join(', ')} }\n${numbers(size)
      .map((i) => `o${i} OBJECT-TYPE SYNTAX E ACCESS read-only STATUS mandatory ::= { enterprises 9 ${i} }\n`)
      .join('')}`,
  'names without definitions': (size: number) => 'a '.repeat(size),
  'quotation marks': (size: number) => '"'.repeat(size | 1),
  'texts cut at definitions': (size: number) => `"${'\na OBJECT-TYPE\n"'.repeat(size & ~1)}`,
  apostrophes: (size: number) => `'${"00 '".repeat(size)}`,
  dashes: (size: number) => '- '.repeat(size),
  comments: (size: number) => '-- a --- b\n'.repeat(size),
  'comments in one line': (size: number) => '-- a - b -- '.repeat(size),
  'comments of dashes in one line': (size: number) => `-- a ${'--- b '.repeat(size)}`,
  'texts with a curly end': (size: number) => '"a\u201d ::= "'.repeat(size & ~1),
  'one long number': (size: number) => node('a', `b ${'1'.repeat(size)}`),
  'one long range': (size: number) => `A ::= INTEGER (${'1'.repeat(size)}..'${'F'.repeat(size)}'H)`,
  'one long OID': (size: number) => node('a', `enterprises ${'1 '.repeat(size)}`),
  'one long import': (size: number) => `IMPORTS ${'a '.repeat(size)}`,
  'one long enumeration': (size: number) =>
    `A ::= INTEGER { ${numbers(size)
      .map((i) => `a${i}(${i}) `)
      .join('')}`,
  'a circle of OIDs': (size: number) =>
    numbers(size)
      .map((i) => node(`a${i}`, `a${(i + 1) % size} 1`))
      .join(''),
  'a chain of OIDs from its end': (size: number) =>
    numbers(size)
      .map((i) => node(`a${i}`, `${i + 1 === size ? 'enterprises' : `a${i + 1}`} 1`))
      .join(''),
  'a circle of types': (size: number) =>
    numbers(size)
      .map((i) => `A${i} ::= A${(i + 1) % size}\n`)
      .join(''),
  'a chain of types': (size: number) =>
    numbers(size)
      .map((i) => `A${i} ::= ${i + 1 === size ? 'INTEGER' : `A${i + 1}`}\n`)
      .join(''),
  'definitions without a value': (size: number) => 'a OBJECT-TYPE\n'.repeat(size),
  'the same name': (size: number) => node('a', 'enterprises 1').repeat(size),
  'unknown parents': (size: number) =>
    numbers(size)
      .map((i) => node(`a${i}`, `b${i} 1`))
      .join(''),
  'unknown parents beside many imports': (size: number) =>
    `IMPORTS ${numbers(size)
      .map((i) => `a${i} FROM M${i} `)
      .join('')};${numbers(size)
      .map((i) => node(`b${i}`, `c${i} 1`))
      .join('')}`,
  'modules that name what nobody defines': (size: number) =>
    `END ${numbers(size)
      .map((i) => `M${i} DEFINITIONS ::= BEGIN ${node('a', `b${i} 1`)} END\n`)
      .join('')}`,
  'imports from missing modules': (size: number) =>
    `IMPORTS ${numbers(size)
      .map((i) => `a${i} FROM M${i} `)
      .join('')};`,
} as const satisfies Readonly<Record<string, (size: number) => string>>;
