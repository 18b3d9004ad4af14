import { EVENT_ID } from 'js-yaml';
import type { YamlEvents } from './read-events.ts';
import type { YamlProblem } from './yaml-document.ts';
import { yamlLimits } from './yaml-limits.ts';

/** Finds what must be refused before a value is built: several documents, custom tags, alias bombs. */
export function findForbiddenEvent({ events, source, offsetAt }: YamlEvents): YamlProblem | undefined {
  const sizes = new Map<string, number>();
  const open: { readonly anchor: string | undefined; size: number }[] = [];
  let documents = 0;
  let aliases = 0;
  let aliasedNodes = 0;

  for (const event of events) {
    const parent = open.at(-1);
    switch (event.type) {
      case EVENT_ID.DOCUMENT:
        documents++;
        open.push({ anchor: undefined, size: 0 });
        continue;
      case EVENT_ID.POP: {
        open.pop();
        if (parent?.anchor !== undefined) sizes.set(parent.anchor, parent.size);
        const outer = open.at(-1);
        if (outer !== undefined && parent !== undefined) outer.size += parent.size;
        continue;
      }
      case EVENT_ID.ALIAS: {
        const size = sizes.get(source.slice(event.anchorStart, event.anchorEnd)) ?? 1;
        aliases++;
        aliasedNodes += size;
        if (parent !== undefined) parent.size += size;
        if (aliases > yamlLimits.maxAliases || aliasedNodes > yamlLimits.maxAliasedNodes) {
          return aliasProblem(aliases, offsetAt(event.anchorStart - 1));
        }
        continue;
      }
      default: {
        const tag = event.tagStart === -1 ? '' : source.slice(event.tagStart, event.tagEnd);
        if (tag !== '' && !standardTags.has(tag)) return tagProblem(tag, offsetAt(event.tagStart));
        const anchor =
          event.anchorStart === -1 ? undefined : source.slice(event.anchorStart, event.anchorEnd);
        if (event.type === EVENT_ID.SCALAR) {
          if (anchor !== undefined) sizes.set(anchor, 1);
          if (parent !== undefined) parent.size++;
        } else open.push({ anchor, size: 1 });
      }
    }
  }
  return documents > 1 ? severalDocuments : undefined;
}

const standardTags = new Set(['!!str', '!!int', '!!float', '!!bool', '!!null', '!!map', '!!seq', '!']);

const severalDocuments: YamlProblem = {
  rule: 'several-documents',
  message:
    'The file holds several YAML documents. Put each into a file of its own, or remove the --- between them.',
  offset: 0,
};

function tagProblem(tag: string, offset: number): YamlProblem {
  const shown = tag.slice(0, 60);
  return { rule: 'custom-tag', message: `The tag ${shown} is not allowed here. Remove it.`, offset };
}

function aliasProblem(aliases: number, offset: number): YamlProblem {
  const { maxAliases, maxAliasedNodes } = yamlLimits;
  const message =
    aliases > maxAliases
      ? `More than ${maxAliases} aliases in one file. Write the values out.`
      : `The aliases of this file repeat more than ${maxAliasedNodes} values. Write the values out.`;
  return { rule: 'too-many-aliases', message, offset };
}
