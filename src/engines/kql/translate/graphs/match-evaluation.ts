import type { Scalar } from "../../plan/scalar.ts";
import { converted } from "../../runtime/evaluate/convert.ts";
import { compileScalar } from "../../runtime/evaluate/evaluate.ts";
import type { Match } from "../../runtime/rows/graph.ts";
import type { Json, KqlType, KqlValue } from "../../types.ts";
import type { Row } from "../operators/computed-rows.ts";
import type { Collected, GraphScope } from "./graph-scope.ts";

export interface MatchPlan {
  readonly scope: GraphScope;
  /** All of them have to hold. */
  readonly conditions: readonly Scalar[];
  readonly shown: readonly Scalar[];
}

/** Where each column's value is among the cells; places are given out as columns are met. */
type PlaceOf = (id: number) => number;

/** The expressions of a pattern for one run; `constants` are what SQL has computed for it. */
export function evaluationOf({ scope, conditions, shown }: MatchPlan, constants: Row) {
  const places = new Map<number, number>();
  const place: PlaceOf = (id) => {
    const known = places.get(id) ?? places.size;
    places.set(id, known);
    return known;
  };
  const tests = conditions.map((one) => testOf(one, scope, place));
  const cells = shown.map((one) => compileScalar(one, place));
  const cellsOf = matchCells(scope, constants, place);
  return {
    isPossible: (match: Match, name: string): boolean => {
      const isBound = (one: string): boolean => match.nodes.has(one) || match.paths.has(one);
      const ready = tests.filter(({ names }) => names.has(name) && [...names].every(isBound));
      if (ready.length === 0) return true;
      const values = cellsOf(match);
      return ready.every(({ evaluate }) => evaluate(values) === true);
    },
    rowOf: (match: Match): Row => {
      const values = cellsOf(match);
      return cells.map((evaluate) => evaluate(values));
    },
  };
}

/** A condition with the names that it needs; one that needs none waits for the first node. */
function testOf(condition: Scalar, scope: GraphScope, place: PlaceOf) {
  const owners = new Map<number, readonly string[]>();
  for (const [name, row] of scope.rows) for (const { id } of row.columns) owners.set(id, [name]);
  // What is made of a path may look at any node of the match, so it waits for all of them.
  const all = [...scope.rows.keys()];
  for (const { column, path } of scope.collected) owners.set(column.id, [...all, path]);
  const names = new Set<string>();
  const evaluate = compileScalar(condition, (id) => {
    for (const name of owners.get(id) ?? []) names.add(name);
    return place(id);
  });
  const [first] = all;
  if (names.size === 0 && first !== undefined) names.add(first);
  return { evaluate, names };
}

function matchCells(scope: GraphScope, constants: Row, place: PlaceOf) {
  const collect = scope.collected.map(({ value, ...one }) => {
    return { ...one, evaluate: compileScalar(value, place), type: value.type };
  });
  return (match: Match): KqlValue[] => {
    const values: KqlValue[] = [];
    const put = (columns: readonly { readonly id: number }[], row: Row): void => {
      columns.forEach(({ id }, index) => {
        values[place(id)] = row[index] ?? null;
      });
    };
    put(
      scope.lifted.map(({ column }) => column),
      constants,
    );
    for (const [name, row] of scope.rows) put(row.columns, boundCells(match, name));
    for (const one of collect) {
      const made = membersOf(match, one).map((member) => {
        put(one.element, member.cells);
        return dynamicOf(one.evaluate(values), one.type);
      });
      values[place(one.column.id)] = gathered(one.kind, made);
    }
    return values;
  };
}

function boundCells({ nodes, paths }: Match, name: string): Row {
  return nodes.get(name)?.cells ?? paths.get(name)?.edges[0]?.cells ?? [];
}

function membersOf(
  { paths }: Match,
  { path, of }: Pick<Collected, "path" | "of">,
): readonly { readonly cells: Row }[] {
  return paths.get(path)?.[of] ?? [];
}

function dynamicOf(value: KqlValue, type: KqlType): Json {
  return converted(value, type, "dynamic");
}

function gathered(kind: Collected["kind"], values: readonly Json[]): KqlValue {
  if (kind === "map") return values;
  return kind === "any" ? values.includes(true) : values.every((value) => value === true);
}
