import { type Node, NodeFlags, type SourceFile, SyntaxKind } from 'typescript/unstable/ast';
import {
  isBlock,
  isClassDeclaration,
  isForOfStatement,
  isFunctionDeclaration,
  isFunctionLikeDeclaration,
  isIdentifier,
  isSourceFile,
  isTypeNode,
  isVariableStatement,
} from 'typescript/unstable/ast/is';
import { lineOf, listFunctions, parseFiles, walk } from './parsed-files.ts';

/** A name of a block, which nothing may read before its declaration has run. */
interface Declared {
  readonly name: string;
  readonly declaration: Node;
}

/**
 * Finds closures that read a `const`, `let` or class which is declared below them, after an `await` of the same function. A closure
 * that is called while the function waits throws "Cannot access … before initialization". Returns `path:line name`.
 */
export function findEarlyReads(files: Readonly<Record<string, string>>): string[] {
  return parseFiles(files, (path, source) =>
    listFunctions(source).flatMap((each) => readsIn(each, source).map((at) => `${path}:${at}`)),
  );
}

function readsIn(scope: Node, source: SourceFile): string[] {
  const closures: Node[] = [];
  const blocks: Node[] = [];
  const waits: number[] = [];
  const collect = (node: Node) => {
    if (isFunctionLikeDeclaration(node)) closures.push(node);
    else if (statementsOf(node) !== undefined) blocks.push(node);
    if (node.kind === SyntaxKind.AwaitExpression) waits.push(node.end);
    if (isForOfStatement(node) && node.awaitModifier !== undefined) waits.push(node.end);
  };
  if (isSourceFile(scope)) collect(scope);
  walk(scope, collect);
  if (waits.length === 0) return [];
  return blocks.flatMap((block) =>
    listDeclared(block).flatMap(({ name, declaration }) =>
      closures
        .filter((closure) => {
          const start = startOf(closure, block);
          const isInBlock = closure.pos >= block.pos && closure.end <= block.end;
          const waitsBetween = waits.some((end) => start < end && end <= declaration.end);
          return isInBlock && start < declaration.end && waitsBetween && reads(closure, name);
        })
        .map((closure) => `${lineOf(source, closure)} ${name}`),
    ),
  );
}

function statementsOf(node: Node): readonly Node[] | undefined {
  if (isBlock(node) || isSourceFile(node)) return node.statements;
  const isCase = node.kind === SyntaxKind.CaseClause || node.kind === SyntaxKind.DefaultClause;
  return isCase ? (node as Node & { readonly statements: readonly Node[] }).statements : undefined;
}

function listDeclared(block: Node): Declared[] {
  return (statementsOf(block) ?? []).flatMap((statement) => {
    if (isClassDeclaration(statement)) return namesOf(statement.name, statement);
    if (!isVariableStatement(statement)) return [];
    const { declarationList } = statement;
    if ((declarationList.flags & (NodeFlags.Let | NodeFlags.Const)) === 0) return [];
    return declarationList.declarations.flatMap((each) => namesOf(each.name, each));
  });
}

/** The names that a pattern declares. Its default values name none. */
function namesOf(name: Node | undefined, declaration: Node): Declared[] {
  if (name === undefined) return [];
  if (isIdentifier(name)) return [{ name: name.text, declaration }];
  const found: Declared[] = [];
  name.forEachChild((element) => {
    found.push(...namesOf((element as Node & { readonly name?: Node }).name, declaration));
  });
  return found;
}

/** Where the closure can be called from: a function declaration, wherever something in the block names it. */
function startOf(closure: Node, block: Node): number {
  if (!isFunctionDeclaration(closure) || closure.name === undefined) return closure.pos;
  const { text } = closure.name;
  let first = Number.POSITIVE_INFINITY;
  const look = (node: Node): void => {
    if (node === closure) return;
    if (isIdentifier(node) && node.text === text && isRead(node)) first = Math.min(first, node.pos);
    node.forEachChild(look);
  };
  block.forEachChild(look);
  return first;
}

/** Whether the name is read in the closure, and is not another one's there. */
function reads(closure: Node, name: string): boolean {
  let found = false;
  const look = (node: Node): void => {
    if (found || isTypeNode(node) || declares(node, name)) return;
    if (isIdentifier(node) && node.text === name && isRead(node)) found = true;
    node.forEachChild(look);
  };
  look(closure);
  return found;
}

function declares(node: Node, name: string): boolean {
  const has = (each: Node) => namesOf(each, each).some((declared) => declared.name === name);
  if (isFunctionLikeDeclaration(node)) return node.parameters.some((parameter) => has(parameter.name));
  return listDeclared(node).some((declared) => declared.name === name);
}

/** Whether an identifier is a variable, and no name of a property or of what is declared. */
function isRead(node: Node): boolean {
  const parent = node.parent as (Node & { readonly name?: Node; readonly propertyName?: Node }) | undefined;
  if (parent === undefined || parent.kind === SyntaxKind.ShorthandPropertyAssignment) return true;
  return parent.name !== node && parent.propertyName !== node;
}
