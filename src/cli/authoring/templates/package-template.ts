/** The files of a package by path, all but package.json. `name` is a kebab-case package name. */
export type PackageTemplate = (name: string) => Readonly<Record<string, string>>;

/** The part of a README that every plugin package shares. */
export function writeReadme(name: string, summary: string, configuration: string): string {
  return `# ${name}

${summary}

\`\`\`sh
npm install && npm test
\`\`\`

In \`waywiser.yml\`:

\`\`\`yaml
plugins:
${configuration}
\`\`\`

The package must be installed where \`waywiser.yml\` is, or be named by its path: \`./${name}/index.js\`.
`;
}
