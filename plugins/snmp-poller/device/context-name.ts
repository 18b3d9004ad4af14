import { contextsOf } from '../../../src/model/index.ts';
import type { Device } from '../../device-registry/service.ts';

type Settings = Device['settings'];

/** The tag that distinguishes the records of a device's contexts. */
const contextTag = 'context';

/** The tags of a device in the records of one of its contexts. `context` is undefined for the first one. */
export function tagsOf(settings: Settings, context: string | undefined): Readonly<Record<string, string>> {
  const { tags = noTags, contexts } = settings;
  if (contexts === undefined) return tags;
  const [first = '', second] = contextsOf(settings);
  return context === undefined && second === undefined ? tags : { ...tags, [contextTag]: context ?? first };
}

/** Plans and slots of further contexts have their own names, so that no output takes one for a repeat of another. */
export function nameInContext(name: string, context: string | undefined): string {
  return context === undefined ? name : `${name} ${context}`;
}

const noTags: Readonly<Record<string, string>> = Object.freeze({});
