import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";

/** The errors that a route's handler refers to, directly or through the functions that it uses. */
export type Thrown = {
  /** The contract: its module, relative to the root, and its export. */
  contract: { module: string; name: string };
  /** By code, the functions through which the handler reaches it: `handler > sign > reserve`. */
  codes: Map<string, string>;
};

/**
 * Follows every function of app and lib that a handler of app/**\/route.ts refers to, and collects `xErrors.CODE` on the
 * way. It does not know which errors are caught, and does not follow members of objects, such as `system.subscribers`.
 * The servers of the tests report what it misses (UNDECLARED_ERROR).
 */
export function thrownByRoutes(root: string): Thrown[] {
  const files = readdirSync(join(root, "app"), { recursive: true, encoding: "utf8" });
  const routes = files.filter((file) => file.endsWith("/route.ts")).map((file) => join(root, "app", file));
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram(routes, { ...options, noEmit: true });
  const checker = program.getTypeChecker();

  const unaliased = (symbol: ts.Symbol | undefined): ts.Symbol | undefined =>
    symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

  /** What a name refers to. Only names in scope and members of `import * as`: the types of other members take minutes. */
  const declarationOf = (node: ts.Node): ts.Declaration | undefined => {
    if (!ts.isIdentifier(node)) return undefined;
    const { parent } = node;
    if (ts.isShorthandPropertyAssignment(parent))
      return unaliased(checker.getShorthandAssignmentValueSymbol(parent))?.valueDeclaration;
    if (!ts.isPropertyAccessExpression(parent) || parent.name !== node)
      return isName(node) ? undefined : unaliased(checker.getSymbolAtLocation(node))?.valueDeclaration;
    if (!ts.isIdentifier(parent.expression)) return undefined;
    const module = unaliased(checker.getSymbolAtLocation(parent.expression));
    if (!module || !(module.flags & ts.SymbolFlags.ValueModule)) return undefined;
    return unaliased(checker.tryGetMemberInModuleExports(node.text, module))?.valueDeclaration;
  };

  const isOurs = (node: ts.Node): boolean => {
    const file = relative(root, node.getSourceFile().fileName);
    return /^(app|lib)\//.test(file) && !file.endsWith(".d.ts");
  };

  /** Whether an expression is a variable declared as `failures({ … })`. */
  const isErrors = (node: ts.Expression): boolean => {
    const declaration = declarationOf(node);
    const created = declaration && ts.isVariableDeclaration(declaration) && declaration.initializer;
    return Boolean(created && ts.isCallExpression(created) && created.expression.getText() === "failures");
  };

  const codesOf = (node: ts.Node): string[] => {
    if (ts.isPropertyAccessExpression(node) && isErrors(node.expression))
      return node.name.text === "table" ? [] : [node.name.text];
    if (!ts.isElementAccessExpression(node) || !isErrors(node.expression)) return [];
    const type = checker.getTypeAtLocation(node.argumentExpression);
    const parts = type.isUnion() ? type.types : [type];
    return parts.flatMap((part) => (part.isStringLiteral() ? [part.value] : []));
  };

  /** What a function or value refers to: codes, and declarations in this repository. */
  const referencesOf = (declaration: ts.Node) => {
    const codes: string[] = [];
    const next = new Set<ts.Declaration>();
    const visit = (node: ts.Node): void => {
      if (ts.isTypeNode(node)) return;
      codes.push(...codesOf(node));
      if (ts.isIdentifier(node)) {
        const found = declarationOf(node);
        if (found && isOurs(found) && isFollowed(found)) next.add(found);
      }
      ts.forEachChild(node, visit);
    };
    visit(declaration);
    return { codes, next };
  };

  const known = new Map<ts.Node, ReturnType<typeof referencesOf>>();
  const read = (node: ts.Node) => {
    const before = known.get(node);
    if (before) return before;
    const references = referencesOf(node);
    known.set(node, references);
    return references;
  };

  const reach = (handler: ts.Node): Map<string, string> => {
    const codes = new Map<string, string>();
    const seen = new Set<ts.Node>([handler]);
    const queue: { node: ts.Node; way: string }[] = [{ node: handler, way: "handler" }];
    for (const { node, way } of queue) {
      const { codes: here, next } = read(node);
      for (const code of here) if (!codes.has(code)) codes.set(code, way);
      for (const declaration of next) {
        if (seen.has(declaration)) continue;
        seen.add(declaration);
        queue.push({ node: declaration, way: `${way} > ${nameOf(declaration)}` });
      }
    }
    return codes;
  };

  return routes.flatMap((file) => {
    const source = program.getSourceFile(file);
    const found: Thrown[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && node.expression.getText() === "route" && node.arguments.length === 2) {
        const [endpoint, handler] = node.arguments;
        const contract = endpoint && declarationOf(endpoint);
        if (contract && handler && ts.isVariableDeclaration(contract)) {
          const module = relative(root, contract.getSourceFile().fileName);
          found.push({ contract: { module, name: contract.name.getText() }, codes: reach(handler) });
        }
      }
      ts.forEachChild(node, visit);
    };
    if (source) visit(source);
    return found;
  });
}

/** Whether an identifier names a property or a declaration, rather than refers to one. */
const isName = (node: ts.Identifier): boolean => {
  const { parent } = node;
  return (
    (ts.isPropertyAssignment(parent) || ts.isBindingElement(parent) || ts.isParameter(parent)) &&
    parent.initializer !== node
  );
};

/** Functions, and constants at the top of a module: what a parameter or a local variable holds is seen where it is built. */
function isFollowed(declaration: ts.Declaration): boolean {
  if (ts.isFunctionDeclaration(declaration) || ts.isMethodDeclaration(declaration)) return true;
  return ts.isVariableDeclaration(declaration) && ts.isSourceFile(declaration.parent.parent.parent);
}

const nameOf = (declaration: ts.Declaration): string => ts.getNameOfDeclaration(declaration)?.getText() ?? "?";
