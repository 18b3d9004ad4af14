import { readFileSync } from 'node:fs';

/** The text of docs/events.md, from the comments and types of the event map. */
export function renderEvents(): string {
  const source = readFileSync('src/model/event-map.ts', 'utf8');
  const bodies = source.matchAll(/export interface (?:Stream)?EventMap [^{]*\{\n([\s\S]*?)\n\}/g);
  const groups = [...bodies].flatMap(([, body = '']) => body.split(/^ {2}\/\*\*\s+(?:\* )?/m).slice(1));
  const sections = groups.map((group) => {
    const [, comment = '', members = ''] = /^([\s\S]*?)\s+\*\/\n([\s\S]*)$/.exec(group) ?? [];
    const names = [...members.matchAll(/^ {2}readonly '([a-z.]+)':/gm)].map(([, name]) => `\`${name}\``);
    const types = members.trimEnd().replace(/^ {2}/gm, '');
    return `## ${names.join(', ')}\n\n${comment.replace(/\s*\n\s*\* ?/g, ' ')}\n\n\`\`\`ts\n${types}\n\`\`\``;
  });
  const introduction =
    'Events are facts in the past tense. They are delivered one after another, in the order in which they were emitted: every listener receives a cause before its effects, such as `definitions.changed` before the `device.added` that it leads to. A listener that throws is counted and logged; the other listeners are still called. The types are in `src/model/event-map.ts`.';
  return `${['# Events', introduction, commands, ...sections].join('\n\n')}\n`;
}

const commands = `\`\`\`sh
waywiser ctl events --count 3                   # of a running collector, for people
curl -N http://127.0.0.1:8080/api/v1/events     # for programs
\`\`\``;
