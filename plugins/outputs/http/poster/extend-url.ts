/** What is `path` below a URL, with parameters behind those that it has; the text itself where it is no URL. */
export function extendUrl(
  text: string,
  path: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  url.pathname = url.pathname.replace(/\/+$/, '') + path;
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.append(name, value);
  }
  return url.href;
}
