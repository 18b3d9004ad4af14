import {
  checkDefinition,
  type DefinitionKeys,
  definitionRules as rules,
} from '../kernel/definition-check.ts';
import { defineErrors } from '../kernel/errors.ts';
import type { Logger } from '../kernel/logger.ts';
import { definePlugin, type Plugin } from '../kernel/plugin.ts';
import type { Static, TObject } from '../typebox.ts';
import { pipelineErrors } from './errors.ts';
import { type Processor, pipelineToken } from './pipeline.ts';

export interface ProcessorDefinition<Schema extends TObject> {
  readonly name: string;
  readonly summary: string;
  readonly options?: Schema;
  /** Called once at start. Returns the function that every batch passes through. */
  open(context: {
    readonly options: Static<Schema>;
    readonly log: Logger;
    readonly signal: AbortSignal;
  }): Processor | Promise<Processor>;
}

const failure = defineErrors(pipelineErrors);

const definitionKeys: DefinitionKeys = {
  name: { rule: rules.name, isRequired: true },
  summary: { rule: rules.text, isRequired: true },
  options: { rule: rules.options() },
  open: { rule: rules.aFunction, isRequired: true },
};

/** Makes a processor plugin. Processors run in the order of the configuration. */
export function defineProcessor<Schema extends TObject = TObject<Record<never, never>>>(
  definition: ProcessorDefinition<Schema>,
): Plugin {
  checkDefinition('defineProcessor', definition, definitionKeys);
  const { name, summary, options } = definition;
  return definePlugin({
    name,
    kind: 'processor',
    summary,
    ...(options === undefined ? {} : { options }),
    needs: { pipeline: pipelineToken },
    async start(context) {
      const process = await definition.open({
        options: context.options as Static<Schema>,
        log: context.log,
        signal: context.signal,
      });
      if (typeof process !== 'function')
        throw failure('PROCESSOR_WITHOUT_FUNCTION', { processor: context.name });
      context.onStop(context.needs.pipeline.addProcessor(context.name, process));
    },
  });
}
