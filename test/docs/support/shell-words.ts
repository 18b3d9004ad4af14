/** One command of a line: its words as the shell passes them, and the file it reads from. */
export interface ShellCommand {
  readonly words: readonly string[];
  readonly input: string | undefined;
}

/**
 * The commands of a line, as far as the documentation needs: quotes, comments, `&&`, `< FILE`, a `&` at the end, and `$NAME`
 * outside of single quotes.
 */
export function splitLine(line: string, env: Readonly<Record<string, string>>): ShellCommand[] {
  const commands: { words: string[]; input: string | undefined }[] = [{ words: [], input: undefined }];
  let isInputNext = false;
  for (const [token] of line.matchAll(/#.*$|&&|<|(?:'[^']*'|"[^"]*"|[^\s'"<])+/g)) {
    const command = commands.at(-1)!;
    if (token.startsWith('#') || token === '&') break;
    else if (token === '&&') commands.push({ words: [], input: undefined });
    else if (token === '<') isInputNext = true;
    else if (isInputNext) {
      command.input = readWord(token, env);
      isInputNext = false;
    } else command.words.push(readWord(token, env));
  }
  return commands;
}

function readWord(token: string, env: Readonly<Record<string, string>>): string {
  return token.replace(/'([^']*)'|"([^"]*)"|([^'"]+)/g, (_, literal, quoted, bare) => {
    if (literal !== undefined) return literal;
    return (quoted ?? bare).replace(/\$([A-Z_]+)/g, (_whole: string, name: string) => env[name] ?? '');
  });
}
