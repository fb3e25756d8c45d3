import { isNonNull } from "../../plan/non-null.ts";
import { renewed } from "../table-shapes.ts";
import { KqlError } from "../../kql-error.ts";
import {
  columnsOf,
  kindOf,
  maybe,
  nameOf,
  part,
  parts,
  positionOf,
  type SyntaxNode,
} from "../../language/syntax.ts";
import type { Column, JoinKind, Relation } from "../../plan/relation.ts";
import { call, cast, type Scalar } from "../../plan/scalar.ts";
import type { KqlType } from "../../types.ts";
import {
  findColumn,
  tableOfRelation,
  use,
  type Table,
  type Translation,
  translateScalar,
  translateTabular,
} from "../translation.ts";
import { inputOf, parameterText } from "./operator.ts";
import type { Operator } from "./operator.ts";

export const joinOperators: Readonly<Record<string, Operator>> = {
  JoinOperator: translateJoin,
  LookupOperator: translateLookup,
};

const KINDS: Readonly<Record<string, JoinKind>> = {
  innerunique: "inner",
  inner: "inner",
  leftouter: "left",
  rightouter: "right",
  fullouter: "full",
  leftsemi: "semi",
  rightsemi: "semi",
  leftanti: "anti",
  anti: "anti",
  leftantisemi: "anti",
  rightanti: "anti",
  rightantisemi: "anti",
};

function translateJoin(node: SyntaxNode, input: Table | undefined, state: Translation): Table {
  const kind = (parameterText(node, "kind") ?? "innerunique").toLowerCase();
  const joinKind = KINDS[kind];
  if (joinKind === undefined) {
    throw new KqlError("semantic", `There is no join kind "${kind}".`, {
      position: positionOf(node),
    });
  }
  const left = inputOf(input, node);
  const right = rightSide(node, state);
  const keys = joinKeys(node, "ConditionClause", left, right, state);
  const deduplicated = kind === "innerunique" ? firstPerKey(left, keys) : left;
  const isRight = kind.startsWith("right") && (joinKind === "semi" || joinKind === "anti");
  const [kept, other] = isRight ? [right, deduplicated] : [deduplicated, right];
  if (joinKind === "semi" || joinKind === "anti") {
    return renamed(
      oneSided(kept, other, joinKind, keys),
      columnsOf(node).map(({ name }) => name),
    );
  }
  const joined = bothSided(deduplicated, right, joinKind, keys);
  return renamed(
    joined,
    columnsOf(node).map(({ name }) => name),
  );
}

function rightSide(node: SyntaxNode, state: Translation): Table {
  return renewed(translateTabular(part(node, "Expression"), state), state);
}

interface Key {
  readonly left: Scalar;
  readonly right: Scalar;
}

/** The pairs of values that have to agree: `on a`, `on $left.a == $right.b`. */
function joinKeys(
  ...[node, clause, left, right, state]: [SyntaxNode, string, Table, Table, Translation]
): Key[] {
  const on = maybe(node, clause);
  if (on === undefined) return [];
  return parts(on, "Expressions").flatMap((one) => keysOf(one, left, right, state));
}

function keysOf(node: SyntaxNode, left: Table, right: Table, state: Translation): Key[] {
  switch (kindOf(node)) {
    case "ParenthesizedExpression":
      return keysOf(part(node, "Expression"), left, right, state);
    case "AndExpression":
      return ["Left", "Right"].flatMap((side) => keysOf(part(node, side), left, right, state));
    case "EqualExpression": {
      const sides = { left, right };
      const values = ["Left", "Right"].map((side) => {
        return translateScalar(part(node, side), { sides }, state);
      });
      const [a, b] = values;
      if (a === undefined || b === undefined) return [];
      return belongsTo(a, right) ? [keyOf(b, a)] : [keyOf(a, b)];
    }
    default: {
      const name = nameOf(node);
      const [a, b] = [findColumn(left, name), findColumn(right, name)];
      if (a !== undefined && b !== undefined) return [keyOf(use(a), use(b))];
      throw new KqlError("semantic", `Both sides of the join need a column '${name}'.`, {
        position: positionOf(node),
      });
    }
  }
}

function belongsTo(value: Scalar, table: Table): boolean {
  return value.kind === "column" && table.relation.columns.some(({ id }) => id === value.id);
}

const NUMBERS: readonly KqlType[] = ["int", "long", "real", "decimal"];

/** Both in one type; numbers in the wider of the two. */
function keyOf(left: Scalar, right: Scalar): Key {
  if (left.type === right.type) return { left, right };
  const wider = NUMBERS[Math.max(NUMBERS.indexOf(left.type), NUMBERS.indexOf(right.type))];
  if (wider === undefined) return { left, right };
  return { left: cast(left, wider), right: cast(right, wider) };
}

/** Nulls match, which costs; where one side has none, plain equality says the same. */
function conditionOf(keys: readonly Key[], a: Table, b: Table): Scalar | undefined {
  const tests = keys.map(({ left, right }) => {
    const isPlain = isNonNull(left, a.relation) || isNonNull(right, b.relation);
    return call(isPlain ? "join_equal_plain" : "join_equal", "bool", left, right);
  });
  const [first] = tests;
  if (tests.length < 2) return first;
  return { kind: "call", name: "and", args: tests, type: "bool" };
}

/** `innerunique`: of the left rows with equal keys, one. */
function firstPerKey(table: Table, keys: readonly Key[]): Table {
  if (keys.length === 0) return table;
  const { relation } = table;
  const order = table.order.map((key) => ({ ...key, isNatural: false }));
  return {
    ...table,
    order,
    relation: {
      kind: "first",
      input: relation,
      keys: [...table.group.map(use), ...keys.map(({ left }) => left)],
      columns: relation.columns,
      order,
    },
  };
}

function oneSided(kept: Table, other: Table, joinKind: JoinKind, keys: readonly Key[]): Table {
  const relation: Relation = {
    kind: "join",
    joinKind,
    left: kept.relation,
    right: other.relation,
    condition: conditionOf(keys, kept, other),
    columns: kept.relation.columns,
    order: [],
  };
  return { ...kept, relation, order: [], isSerialized: false };
}

function bothSided(left: Table, right: Table, joinKind: JoinKind, keys: readonly Key[]): Table {
  const columns = [...left.columns, ...left.group, ...right.columns];
  const made = tableOfRelation({
    kind: "join",
    joinKind: keys.length === 0 ? "cross" : joinKind,
    left: left.relation,
    right: right.relation,
    condition: conditionOf(keys, left, right),
    columns,
    order: [],
  });
  return { ...made, columns: [...left.columns, ...right.columns], group: left.group };
}

/** The same columns under the names that the binder gives them, by position. */
function renamed(table: Table, names: readonly string[]): Table {
  const columns = table.columns.map((column, index): Column => {
    return { ...column, name: names[index] ?? column.name };
  });
  return { ...table, columns };
}

function translateLookup(node: SyntaxNode, input: Table | undefined, state: Translation): Table {
  const kind = (parameterText(node, "kind") ?? "leftouter").toLowerCase();
  const joinKind = kind === "inner" ? "inner" : "left";
  const left = inputOf(input, node);
  const right = rightSide(node, state);
  const keys = joinKeys(node, "LookupClause", left, right, state);
  const joined = bothSided(left, right, joinKind, keys);
  const used = new Set(keys.map(({ right: key }) => (key.kind === "column" ? key.id : -1)));
  const columns = joined.columns.filter(({ id }) => !used.has(id));
  return renamed(
    { ...joined, columns },
    columnsOf(node).map(({ name }) => name),
  );
}
