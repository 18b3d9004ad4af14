/** Splits OBJECT or OBJECT.INSTANCE. Ids of objects may contain dots: the longest prefix that is an object wins. */
export function splitObjectInstance(
  subject: string,
  isObject: (id: string) => boolean,
): { readonly object: string; readonly instance: string | undefined } {
  if (isObject(subject)) return { object: subject, instance: undefined };
  for (let end = subject.lastIndexOf('.'); end > 0; end = subject.lastIndexOf('.', end - 1)) {
    const object = subject.slice(0, end);
    if (isObject(object)) return { object, instance: subject.slice(end + 1) };
  }
  const [, object = subject, instance] = /^(.*?)(?:\.([\d.]+))?$/.exec(subject) ?? [];
  return { object, instance };
}
