import type { Aggregate, AggregateMethod, ApplyStep, PathNode } from "./ast.ts";
import { Cursor } from "./cursor.ts";
import { parseCondition, parseValue } from "./expressions.ts";

const NAME = /[A-Za-z_$]\w*/y;
const METHODS: readonly AggregateMethod[] = ["average", "countdistinct", "max", "min", "sum"];

/** The whole text of an `$apply`: steps with slashes between them. */
export function parseApply(text: string): readonly ApplyStep[] {
  const cursor = new Cursor("$apply", text);
  const steps: ApplyStep[] = [];
  do steps.push(parseStep(cursor));
  while (cursor.take("/"));
  cursor.needEnd();
  return steps;
}

function parseStep(cursor: Cursor): ApplyStep {
  cursor.skipBlanks();
  const { at } = cursor;
  const name = cursor.match(NAME) ?? "";
  cursor.need("(");
  switch (name) {
    case "filter": {
      const condition = parseCondition(cursor);
      cursor.need(")");
      return { kind: "filter", condition };
    }
    case "aggregate":
      return { kind: "aggregate", aggregates: parseAggregates(cursor) };
    case "groupby":
      return parseGroups(cursor);
    default:
      return cursor.fail(`The transformation ${name} is not supported`, at);
  }
}

function parseGroups(cursor: Cursor): ApplyStep {
  cursor.need("(");
  const paths = cursor.list(")", () => parsePath(cursor));
  if (paths.length === 0) cursor.fail("Expected a property to group by");
  const aggregates = cursor.take(",") ? parseInnerAggregates(cursor) : [];
  cursor.need(")");
  return { kind: "groupby", paths, aggregates };
}

function parseInnerAggregates(cursor: Cursor): readonly Aggregate[] {
  if (!cursor.takeWord("aggregate")) cursor.fail("Expected aggregate");
  cursor.need("(");
  return parseAggregates(cursor);
}

function parsePath(cursor: Cursor): PathNode {
  const value = parseValue(cursor);
  if (value.kind !== "path") cursor.fail("Expected a property", value.at);
  return value;
}

function parseAggregates(cursor: Cursor): readonly Aggregate[] {
  const aggregates = cursor.list(")", () => parseAggregate(cursor));
  if (aggregates.length === 0) cursor.fail("Expected something to aggregate");
  return aggregates;
}

function parseAggregate(cursor: Cursor): Aggregate {
  cursor.countCondition();
  cursor.skipBlanks();
  const { at } = cursor;
  const isCount = cursor.takeWord("$count");
  const value = isCount ? undefined : parseValue(cursor);
  const method = isCount ? "count" : parseMethod(cursor);
  if (!cursor.takeWord("as")) cursor.fail("Expected 'as' and a name");
  cursor.skipBlanks();
  const name = cursor.match(NAME);
  if (name === undefined) cursor.fail("Expected a name");
  return { method, value, name, at };
}

function parseMethod(cursor: Cursor): AggregateMethod {
  if (!cursor.takeWord("with")) cursor.fail("Expected 'with' and a method");
  const method = METHODS.find((one) => cursor.takeWord(one));
  return method ?? cursor.fail(`Expected one of the methods ${METHODS.join(", ")}`);
}
