/** A part of a template: text as it is, or the name of what is put in its place. */
export type TemplateStep = string | { readonly name: string };

/** `CPU {index}` as parts. A name is an attribute, a column of the index, or `index` for the whole instance. */
export function parseTemplate(text: string): readonly TemplateStep[] {
  return text
    .split(/(\{[^{}]*\})/)
    .filter((part) => part !== '')
    .map((part) => (/^\{.*\}$/.test(part) ? { name: part.slice(1, -1).trim() } : part));
}

/** The names in a template. */
export function namesIn(steps: readonly TemplateStep[]): string[] {
  return steps.flatMap((step) => (typeof step === 'string' ? [] : [step.name]));
}
