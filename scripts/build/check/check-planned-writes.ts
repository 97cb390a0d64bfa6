import ts from 'typescript';
import { projectPath } from '#scripts/project.ts';

/** The write kit itself, whose functions are named after the effect of the write. */
const kit = projectPath('lib/platform/db/');
const checked = [projectPath('lib/'), projectPath('functions/')];
/** Deep enough for a promise of a list of records that contain a write. */
const maxDepth = 5;

/**
 * Finds planned writes that nobody executes, and names that hide them. A function that returns
 * writes and executes nothing is called `plan…`, and no other function is.
 */
export function checkPlannedWrites(): string[] {
  const { fileNames, options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(projectPath('tsconfig.json'), ts.sys.readFile).config,
    ts.sys,
    projectPath(),
  );
  const program = ts.createProgram(fileNames.filter(isChecked), withoutBrowser(options), {
    ...ts.createCompilerHost(options),
    resolveModuleNameLiterals: (names, file, _, ofFile) =>
      names.map(({ text }) => resolveInProject(text, file, ofFile)),
  });

  return plannedWriteProblems(program, isChecked);
}

/**
 * Reads only the language's types, because the types of browsers and Node take longer than ours.
 */
function withoutBrowser(options: ts.CompilerOptions): ts.CompilerOptions {
  return { ...options, lib: ['lib.es2024.d.ts'], types: [] };
}

/** Packages return no writes, so their types are not read. */
function resolveInProject(
  name: string,
  file: string,
  options: ts.CompilerOptions,
): ts.ResolvedModuleWithFailedLookupLocations {
  return /^[.#]/.test(name)
    ? ts.resolveModuleName(name, file, options, ts.sys)
    : { resolvedModule: undefined };
}

function isChecked(path: string): boolean {
  return checked.some((folder) => path.startsWith(folder)) && !path.startsWith(kit);
}

/** Exported for its own test. */
export function plannedWriteProblems(
  program: ts.Program,
  isIncluded: (path: string) => boolean,
): string[] {
  const checker = program.getTypeChecker();

  return program
    .getSourceFiles()
    .filter(({ fileName }) => isIncluded(fileName))
    .flatMap((file) => problemsIn(file, checker));
}

function problemsIn(file: ts.SourceFile, checker: ts.TypeChecker): string[] {
  const problems: string[] = [];
  const report = (node: ts.Node, text: string) => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    problems.push(`${file.fileName.replace(projectPath(), '')}:${line + 1} ${text}`);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isExpressionStatement(node) && ts.isCallExpression(unawaited(node.expression))) {
      if (holdsWrite(checker.getTypeAtLocation(node.expression), checker)) {
        report(node, 'plans a write that nobody executes: pass it to write()');
      }
    }
    const name = nameOfFunction(node);
    const signature = name && checker.getSignatureFromDeclaration(functionOf(node));
    if (name && signature) {
      const returnsWrites = holdsWrite(signature.getReturnType(), checker);
      if (returnsWrites !== /^plan[A-Z]/.test(name)) {
        report(
          node,
          returnsWrites
            ? `${name} returns writes: call it plan…`
            : `${name} returns no writes: call it something else than plan…`,
        );
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);

  return problems;
}

function unawaited(expression: ts.Expression): ts.Expression {
  return ts.isAwaitExpression(expression) ? expression.expression : expression;
}

function nameOfFunction(node: ts.Node): string | undefined {
  if (ts.isFunctionDeclaration(node)) {
    return node.name?.text;
  }

  return ts.isVariableDeclaration(node) &&
    ts.isIdentifier(node.name) &&
    node.initializer !== undefined &&
    ts.isArrowFunction(node.initializer)
    ? node.name.text
    : undefined;
}

function functionOf(node: ts.Node): ts.SignatureDeclaration {
  return (ts.isVariableDeclaration(node) ? node.initializer : node) as ts.SignatureDeclaration;
}

/** True for a `Write`, and for promises, lists and plain records that contain one. */
function holdsWrite(type: ts.Type, checker: ts.TypeChecker, depth = 0): boolean {
  const alias = type.aliasSymbol?.name;
  if (alias === 'Write') {
    return true;
  }
  if (depth === maxDepth || alias === 'ExtraWrites') {
    return false;
  }
  const holds = (part: ts.Type) => holdsWrite(part, checker, depth + 1);
  if (type.isUnionOrIntersection()) {
    return type.types.some(holds);
  }
  const { symbol } = type;
  if (!symbol) {
    return false;
  }
  if (['Promise', 'Array', 'ReadonlyArray'].includes(symbol.name) || checker.isTupleType(type)) {
    return checker.getTypeArguments(type as ts.TypeReference).some(holds);
  }
  const isRecord = symbol.flags & (ts.SymbolFlags.TypeLiteral | ts.SymbolFlags.ObjectLiteral);

  return isRecord !== 0 && type.getCallSignatures().length === 0
    ? type.getProperties().some((property) => holds(checker.getTypeOfSymbol(property)))
    : false;
}
