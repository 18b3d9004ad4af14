import SerializerSelector, {
  type RouteDefinition,
  type Serializer,
  type SerializerFactory,
} from '@fastify/fast-json-stringify-compiler';

/**
 * Compiles how an answer is written when the first one is. Compiling it for all routes at the start takes 0.2 s of CPU time and 15 MiB in every
 * process, and most routes answer a few times, or never.
 */
export const lateSerializers: SerializerFactory = (schemas, options) => {
  const compile = SerializerSelector()(schemas, options);
  return (route: RouteDefinition): Serializer => {
    let write: Serializer | undefined;
    return (answer) => {
      write ??= compile(route);
      return write(answer);
    };
  };
};
