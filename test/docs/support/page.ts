import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles, repositoryRoot } from '../../house/support/source-file.ts';

/** A page of documentation, by its path from the root of the repository. */
export interface Page {
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

/** A code block. */
export interface Block {
  readonly language: string;
  readonly text: string;
  /** The line of the page that `text` begins on. */
  readonly line: number;
}

/** A command line; lines that end with a backslash are joined with the next one. */
export interface DocumentedLine {
  readonly page: string;
  /** Where its block begins. Every block starts in the same folder, with what earlier blocks left there. */
  readonly block: number;
  readonly line: number;
  readonly text: string;
}

/** Every page of the repository, except the changelog, which describes earlier versions too. */
export function readPages(): Page[] {
  const paths = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'];
  for (const folder of ['docs', 'definitions', 'examples', 'plugins', 'test/recordings', 'bench']) {
    paths.push(...listFiles(folder).filter((path) => path.endsWith('.md')));
  }
  return paths.map((path) => {
    const text = readFileSync(join(repositoryRoot, path), 'utf8');
    return { path, text, blocks: listBlocks(text) };
  });
}

/** The lines of all shell blocks. */
export function listCommands({ path, blocks }: Page): DocumentedLine[] {
  return blocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text, line: block }) => {
      const lines: DocumentedLine[] = [];
      let joined: DocumentedLine | undefined;
      text.split('\n').forEach((part, i) => {
        const { page, line, text: before } = joined ?? { page: path, line: block + i, text: '' };
        const whole = { page, block, line, text: before + part.replace(/\\$/, '').trimStart() };
        joined = part.endsWith('\\') ? whole : undefined;
        if (joined === undefined && whole.text !== '') lines.push(whole);
      });
      return lines;
    });
}

function listBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let open: { readonly language: string; readonly line: number; readonly lines: string[] } | undefined;
  text.split('\n').forEach((line, i) => {
    const [, fence] = /^\s*```(\S*)/.exec(line) ?? [];
    if (fence === undefined) open?.lines.push(line);
    else if (open === undefined) open = { language: fence, line: i + 2, lines: [] };
    else {
      blocks.push({ language: open.language, line: open.line, text: open.lines.join('\n') });
      open = undefined;
    }
  });
  return blocks;
}
