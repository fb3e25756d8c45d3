import type { KqlType, KqlValue } from "../../types.ts";
import { canonicalJson } from "../dynamic/json.ts";
import { converted, memberAt } from "./convert.ts";
import type { Evaluate, Evaluator } from "./evaluate.ts";

/** Truth, comparison and choice. */
export const logic: Readonly<Record<string, Evaluator>> = {
  and: (args) => (cells) => {
    let isNull = false;
    for (const one of args) {
      const value = one(cells);
      if (value === false) return false;
      isNull ||= value === null;
    }
    return isNull ? null : true;
  },
  or: (args) => (cells) => {
    let isNull = false;
    for (const one of args) {
      const value = one(cells);
      if (value === true) return true;
      isNull ||= value === null;
    }
    return isNull ? null : false;
  },
  not:
    ([value]) =>
    (cells) => {
      const found = valueOf(value, cells);
      return found === null ? null : found !== true;
    },
  "==": compared((order) => order === 0),
  "!=": compared((order) => order !== 0),
  join_equal: compared((order) => order === 0),
  "<": ordered((order) => order < 0),
  "<=": ordered((order) => order <= 0),
  ">": ordered((order) => order > 0),
  ">=": ordered((order) => order >= 0),
  between: within(true),
  "!between": within(false),
  in: member(true),
  "!in": member(false),
  iff: choice,
  iif: choice,
  case: (args) => (cells) => {
    for (let index = 0; index + 1 < args.length; index += 2) {
      if (valueOf(args[index], cells) === true) return valueOf(args[index + 1], cells);
    }
    return valueOf(args.at(-1), cells);
  },
  coalesce: (args) => (cells) => {
    for (const one of args) {
      const value = one(cells);
      if (value !== null && value !== "") return value;
    }
    return valueOf(args.at(-1), cells);
  },
  isnull:
    ([value]) =>
    (cells) =>
      valueOf(value, cells) === null,
  isnotnull:
    ([value]) =>
    (cells) =>
      valueOf(value, cells) !== null,
  isempty:
    ([value]) =>
    (cells) =>
      isEmpty(valueOf(value, cells)),
  isnotempty:
    ([value]) =>
    (cells) =>
      !isEmpty(valueOf(value, cells)),
  path:
    ([value, key]) =>
    (cells) =>
      memberAt(valueOf(value, cells), valueOf(key, cells)),
};

export function valueOf(evaluate: Evaluate | undefined, cells: readonly KqlValue[]): KqlValue {
  return evaluate === undefined ? null : evaluate(cells);
}

function isEmpty(value: KqlValue): boolean {
  return value === null || value === "";
}

function choice([test, yes, no]: readonly Evaluate[]): Evaluate {
  return (cells) => valueOf(valueOf(test, cells) === true ? yes : no, cells);
}

/** Below 0, 0 or above 0; `undefined` where values cannot be ordered, as NaN. */
export function orderOf(a: KqlValue, b: KqlValue): number | undefined {
  if (a === null || b === null) return a === b ? 0 : undefined;
  if (typeof a === "object" || typeof b === "object") {
    return canonicalJson(a) === canonicalJson(b) ? 0 : undefined;
  }
  if (a < b) return -1;
  if (a > b) return 1;
  // Numbers of different kinds are equal although they are not identical.
  // oxlint-disable-next-line eqeqeq
  return a == b ? 0 : undefined;
}

/** Both values in one type: a dynamic value takes the other's. */
function bothIn(
  [a, b]: readonly Evaluate[],
  types: readonly (KqlType | undefined)[],
): (cells: readonly KqlValue[]) => [KqlValue, KqlValue] {
  const [left = "dynamic", right = "dynamic"] = types;
  return (cells) => {
    const [one, other] = [valueOf(a, cells), valueOf(b, cells)];
    if (left === right) return [one, other];
    if (left === "dynamic") return [converted(one, left, right), other];
    if (right === "dynamic") return [one, converted(other, right, left)];
    if (left === "decimal" || right === "decimal") {
      return [converted(one, left, "real"), converted(other, right, "real")];
    }
    return [one, other];
  };
}

function typesOf({ args }: { readonly args: readonly { readonly type: KqlType }[] }): KqlType[] {
  return args.map(({ type }) => type);
}

/** Equality is total: nulls are equal to each other and to nothing else. */
function compared(test: (order: number | undefined) => boolean): Evaluator {
  return (args, call) => {
    const both = bothIn(args, typesOf(call));
    return (cells) => test(orderOf(...both(cells)));
  };
}

function ordered(test: (order: number) => boolean): Evaluator {
  return (args, call) => {
    const both = bothIn(args, typesOf(call));
    return (cells) => {
      const [a, b] = both(cells);
      if (a === null || b === null) return null;
      const order = orderOf(a, b);
      return order !== undefined && test(order);
    };
  };
}

function within(isInside: boolean): Evaluator {
  return ([value, low, high]) =>
    (cells) => {
      const found = valueOf(value, cells);
      if (found === null) return null;
      const [from, to] = [
        orderOf(found, valueOf(low, cells)),
        orderOf(found, valueOf(high, cells)),
      ];
      return (from !== undefined && to !== undefined && from >= 0 && to <= 0) === isInside;
    };
}

function member(isMember: boolean): Evaluator {
  return ([value, ...set]) =>
    (cells) => {
      const wanted = valueOf(value, cells);
      const items = set.flatMap((one): readonly KqlValue[] => {
        const found = one(cells);
        return Array.isArray(found) ? found : [found];
      });
      return items.some((one) => orderOf(wanted, one) === 0) === isMember;
    };
}
