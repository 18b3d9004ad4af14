import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { cwd } from 'node:process';
import { packageRoot, packageVersion } from '../../collector/own-package.ts';
import { defineErrors } from '../../kernel/errors.ts';
import { suggestName } from '../../nearest-name.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { fileReasonOf } from '../terminal/file-reason.ts';
import { authoringErrors } from './errors.ts';
import { definitionsTemplate } from './templates/definitions.ts';
import { outputTemplate } from './templates/output.ts';
import type { PackageTemplate } from './templates/package-template.ts';
import { pluginTemplate } from './templates/plugin.ts';
import { processorTemplate } from './templates/processor.ts';

const failure = defineErrors(authoringErrors);

const templates: Readonly<Record<string, PackageTemplate>> = {
  plugin: pluginTemplate,
  output: outputTemplate,
  processor: processorTemplate,
  definitions: definitionsTemplate,
};

/** `waywiser new WHAT DIRECTORY`: writes a package that passes its own test at once. */
export async function writePackage(what: string, directory: string): Promise<number> {
  const target = resolve(directory);
  const files = Object.entries(buildPackage(what, target)).map(([path, text]) => [join(target, path), text]);
  try {
    for (const [file = '', text = ''] of files) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  } catch (error) {
    throw failure('PACKAGE_UNWRITABLE', { directory, reason: fileReasonOf(error) });
  }
  for (const [file = ''] of files) console.log(`  ${relative(cwd(), file)}`);
  console.log(`\nNext: cd ${relative(cwd(), target) || '.'} && npm install && npm test`);
  return exitCodes.done;
}

/** The package's files by path. Throws when the template, the name or the directory will not do. */
function buildPackage(what: string, target: string): Readonly<Record<string, string>> {
  const template = templates[what];
  if (template === undefined) {
    const known = Object.keys(templates);
    throw failure('TEMPLATE_UNKNOWN', {
      template: what,
      suggestion: suggestName(what, known),
      known: known.join(', '),
    });
  }
  const name = basename(target);
  if (!/^[a-z][a-z0-9-]*$/.test(name)) throw failure('PACKAGE_NAME_INVALID', { name });
  if (existsSync(target) && readdirSync(target).length > 0) {
    throw failure('DIRECTORY_NOT_EMPTY', { directory: relative(cwd(), target) });
  }
  return { 'package.json': buildManifest(what, name, target), ...template(name) };
}

/** A package beside a checkout uses the checkout; elsewhere the published version. */
function buildManifest(what: string, name: string, target: string): string {
  const root = packageRoot();
  const isCheckout = existsSync(join(root, 'src'));
  const manifest = {
    name,
    version: '0.1.0',
    type: 'module',
    ...(what === 'definitions' ? ofDefinitions : ofPlugin),
    peerDependencies: { waywiser: `>=${packageVersion()}` },
    devDependencies: { waywiser: isCheckout ? `file:${relative(target, root)}` : packageVersion() },
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

const ofPlugin = { main: 'index.js', scripts: { test: 'node --test' } };
const ofDefinitions = {
  files: ['definitions'],
  scripts: { test: 'waywiser check --strict --style definitions && node --test' },
};
