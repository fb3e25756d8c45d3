import { KqlError } from "#engines/kql/kql-error.ts";
import { className, kusto } from "#engines/kql/language/kusto.ts";
import { elements, kindOf, textOf, type SyntaxNode } from "#engines/kql/language/syntax.ts";
import type { CommandArgument, ParsedCommand } from "./parsed-command.ts";

const SHOWN_MAX = 60;

/** Texts that are remembered, and the length of those worth it: editors repeat theirs. */
const REMEMBERED_MAX = 500;
const REMEMBERED_LENGTH_MAX = 10_000;
const remembered = new Map<string, ParsedCommand>();

/** As `readCommand`, which takes a while: what was read lately is not read again. */
export function parseCommand(text: string): ParsedCommand {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const command = readCommand(text);
  if (text.length > REMEMBERED_LENGTH_MAX) return command;
  const [oldest] = remembered.keys();
  if (remembered.size >= REMEMBERED_MAX && oldest !== undefined) remembered.delete(oldest);
  remembered.set(text, command);
  return command;
}

/**
 * Reads a management command. Names are not looked up: that is for whoever runs it.
 *
 * @throws {KqlError} for a command that does not parse or that the language does not know
 */
function readCommand(text: string): ParsedCommand {
  // The parser's types are wider than what is read here.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const code = kusto().KustoCode.ParseAndAnalyze(
    text,
    kusto().GlobalState.Default,
  ) as unknown as Code;
  const root = code.Syntax;
  const found = findCommand(root);
  if (found === undefined || found.CommandKind === undefined) throw unknownCommand(text);
  refuseSyntaxErrors(code);
  const end = found.TextStart + found.Width;
  const rest = text.slice(end).trim();
  const parts = partsOf(found);
  const input = inputOf(found, text, parts);
  if (rest !== "" && !rest.startsWith("|") && input === undefined) throw unreadRest(text, end);
  return {
    kind: found.CommandKind,
    text: text.slice(found.TextStart, end),
    arguments: parts.arguments.filter(({ name }) => !isProperty(name)),
    words: parts.words,
    properties: propertiesOf(parts.arguments),
    input,
    pipe: rest.startsWith("|") ? rest.slice(1).trim() : undefined,
  };
}

/** What is read of the parser's answer. */
interface Code {
  readonly Syntax: SyntaxNode;
  readonly GetDiagnostics: () => {
    readonly Count: number;
    readonly getItem: (index: number) => {
      readonly Code: string;
      readonly Severity: string;
      readonly Message: string;
      readonly Start: number;
      readonly Length: number;
    };
  };
}

interface CommandNode extends SyntaxNode {
  readonly CommandKind?: string;
}

function findCommand(node: CommandNode): CommandNode | undefined {
  if (className(node) === "CustomCommand") return node;
  for (let index = 0; index < node.ChildCount; index++) {
    const child = node.GetChild(index);
    const found = child === null ? undefined : findCommand(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

function unknownCommand(text: string): KqlError {
  const [line = ""] = text.trim().split("\n", 1);
  const shown = line.length > SHOWN_MAX ? `${line.slice(0, SHOWN_MAX)}…` : line;
  const said = `There is no command like this here: ${shown}`;
  return new KqlError("semantic", said, { code: "SEM0001" });
}

function unreadRest(text: string, end: number): KqlError {
  const start = text.length - text.slice(end).trimStart().length;
  const shown = text.slice(start, start + SHOWN_MAX);
  const position = { start, length: text.length - start };
  return new KqlError("syntax", `The command does not go on like this: ${shown}`, { position });
}

/** Codes below 100 are those of the grammar; names are not the parser's concern here. */
const GRAMMAR_ERROR = /^KS0\d\d$/;

function refuseSyntaxErrors(code: Code): void {
  const list = code.GetDiagnostics();
  for (let index = 0; index < list.Count; index++) {
    const { Code, Severity, Message, Start, Length } = list.getItem(index);
    if (Severity !== "Error" || !GRAMMAR_ERROR.test(Code)) continue;
    throw new KqlError("syntax", Message, { position: { start: Start, length: Length } });
  }
}

interface Parts {
  readonly arguments: CommandArgument[];
  readonly words: Set<string>;
}

/** Parts that say something without a value. */
const FLAGS: ReadonlySet<string> = new Set(["SkipResults"]);
/** What stands behind `<|` is taken from the text, as written. */
const INPUTS: ReadonlySet<string> = new Set(["Data", "QueryOrCommand", "csl"]);

function partsOf(command: SyntaxNode): Parts {
  const parts: Parts = { arguments: [], words: new Set() };
  for (let index = 0; index < command.ChildCount; index++) {
    const child = command.GetChild(index);
    if (child?.NameInParent === "Custom") collect(child, parts);
  }
  return parts;
}

function collect(node: SyntaxNode, parts: Parts): void {
  for (let index = 0; index < node.ChildCount; index++) {
    const child = node.GetChild(index);
    if (child === null || child.Width === 0) continue;
    if (kindOf(child) === "LessThanBarToken") return;
    take(child, child.NameInParent ?? "", parts);
  }
}

function take(child: SyntaxNode, name: string, parts: Parts): void {
  if (INPUTS.has(name)) return;
  if (FLAGS.has(name) || (name === "" && child.ChildCount === 0)) {
    parts.words.add(textOf(child).toLowerCase());
  } else if (name === "") {
    collect(child, parts);
  } else {
    parts.arguments.push({ name, value: valueOf(child), path: pathOf(child) });
  }
}

function isProperty(name: string): boolean {
  return name === "PropertyName" || name === "PropertyValue";
}

function propertiesOf(all: readonly CommandArgument[]): Map<string, string> {
  const properties = new Map<string, string>();
  for (const [index, { name, value }] of all.entries()) {
    const next = all[index + 1];
    if (name !== "PropertyName" || next?.name !== "PropertyValue") continue;
    properties.set(value.toLowerCase(), next.value);
  }
  return properties;
}

/** A name without quotes, the content of a literal, or the text as written. */
function valueOf(node: SyntaxNode): string {
  switch (kindOf(node)) {
    case "StringLiteralExpression":
    case "CompoundStringLiteralExpression":
      return tokensOf(node).map(unquoted).join("");
    case "NameDeclaration":
    case "NameReference":
    case "BracketedName":
    case "TokenName":
      return nameIn(node);
    default:
      return textOf(node);
  }
}

function nameIn(node: SyntaxNode): string {
  const strings = tokensOf(node).filter((token) => kindOf(token) === "StringLiteralToken");
  return strings.length > 0 ? strings.map(unquoted).join("") : textOf(node);
}

function unquoted(token: SyntaxNode): string {
  return token.ValueText ?? textOf(token);
}

function tokensOf(node: SyntaxNode): SyntaxNode[] {
  if (node.ChildCount === 0) return [node];
  return elements(node).flatMap(tokensOf);
}

function pathOf(node: SyntaxNode): string[] {
  if (kindOf(node) !== "PathExpression") return [valueOf(node)];
  const steps: string[] = [];
  for (let index = 0; index < node.ChildCount; index++) {
    const child = node.GetChild(index);
    if (child !== null && child.ChildCount > 0) steps.push(...pathOf(child));
  }
  return steps;
}

/** Data as it is written, or the rest of the text when it is a query or a script. */
function inputOf(command: SyntaxNode, text: string, { words }: Parts): string | undefined {
  const bar = findInput(command);
  if (bar !== undefined) return text.slice(bar.TextStart + bar.Width).replace(/^ +/, "");
  return words.has("inline") ? findData(command) : undefined;
}

function findInput(node: SyntaxNode): SyntaxNode | undefined {
  if (kindOf(node) === "LessThanBarToken") return node;
  for (let index = 0; index < node.ChildCount; index++) {
    const child = node.GetChild(index);
    const found = child === null ? undefined : findInput(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `[1,2]`, the other way of writing inline data. */
function findData(node: SyntaxNode): string | undefined {
  if (node.NameInParent === "Data") return textOf(node);
  for (let index = 0; index < node.ChildCount; index++) {
    const child = node.GetChild(index);
    const found = child === null ? undefined : findData(child);
    if (found !== undefined) return found;
  }
  return undefined;
}
