import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The files at any depth below a folder whose names match, sorted. Each folder is listed once: a link may lead back to one. */
export function listFiles(folder: string, name: RegExp): string[] {
  const files: string[] = [];
  const seen = new Set<string>();
  const pending = [folder];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const real = realpathSync(next);
    if (seen.has(real)) continue;
    seen.add(real);
    for (const entry of readdirSync(next)) {
      const path = join(next, entry);
      // Undefined for a link that leads nowhere, or only to itself.
      const stats = statOf(path);
      if (stats?.isDirectory()) pending.push(path);
      else if (stats?.isFile() && name.test(entry)) files.push(path);
    }
  }
  return files.sort();
}

function statOf(path: string) {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
