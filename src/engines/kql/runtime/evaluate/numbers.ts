import { KqlError } from "../../kql-error.ts";
import type { KqlType, KqlValue } from "../../types.ts";
import { converted } from "./convert.ts";
import type { Evaluate, Evaluator } from "./evaluate.ts";
import { orderOf, valueOf } from "./logic.ts";

/** Arithmetic of numbers and times. */
export const numbers: Readonly<Record<string, Evaluator>> = {
  "+": arithmetic(
    (a, b) => a + b,
    (a, b) => a + b,
  ),
  "-": arithmetic(
    (a, b) => a - b,
    (a, b) => a - b,
  ),
  "*": (args, call) => {
    const [left, right] = call.args;
    const isScaled = call.type === "timespan" && (left?.type === "real" || right?.type === "real");
    return isScaled
      ? scaled(args)
      : arithmetic(
          (a, b) => a * b,
          (a, b) => a * b,
        )(args, call);
  },
  "/": (args, call) => {
    const isRatio = call.args.every(({ type }) => type === "timespan");
    if (isRatio) return real(args, (a, b) => a / b);
    return arithmetic(
      (a, b) => a / b,
      (a, b) => (b === 0n ? null : a / b),
    )(args, call);
  },
  "%": arithmetic(
    (a, b) => ((a % b) + Math.abs(b)) % b,
    (a, b) => (b === 0n ? null : ((a % b) + magnitude(b)) % magnitude(b)),
  ),
  negate:
    ([value]) =>
    (cells) => {
      const found = valueOf(value, cells);
      return typeof found === "bigint" || typeof found === "number" ? -found : null;
    },
  abs:
    ([value]) =>
    (cells) => {
      const found = valueOf(value, cells);
      if (typeof found === "bigint") return magnitude(found);
      return typeof found === "number" ? Math.abs(found) : null;
    },
  min_of: best((order) => order < 0),
  max_of: best((order) => order > 0),
  sqrt: (args) => real(args, (a) => (a < 0 ? null : Math.sqrt(a))),
  exp: (args) => real(args, Math.exp),
  log: (args) => real(args, (a) => (a <= 0 ? null : Math.log(a))),
  pow: (args) => real(args, (a, b) => a ** b),
  round: ([value, digits]) => {
    const places = digits ?? (() => 0n);
    return (cells) => {
      const [found, by] = [valueOf(value, cells), 10 ** Number(valueOf(places, cells) ?? 0n)];
      return typeof found === "number" ? Math.round(found * by) / by : found;
    };
  },
  bin: binned,
  floor: binned,
};

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

type OfReals = (a: number, b: number) => number | null;
type OfWholes = (a: bigint, b: bigint) => bigint | null;

/** The type of the result tells how it is computed; whole numbers wrap around. */
function arithmetic(ofReals: OfReals, ofWholes: OfWholes): Evaluator {
  return (args, { type, args: sources, name }) => {
    if (type === "decimal") {
      throw new KqlError("unsupported", `Decimal numbers cannot be used with ${name} here.`);
    }
    if (type === "real" || type === "dynamic") return real(args, ofReals);
    const [left, right] = sources.map((one) => (one.type === "dynamic" ? "dynamic" : undefined));
    return (cells) => {
      const [a, b] = [whole(valueOf(args[0], cells), left), whole(valueOf(args[1], cells), right)];
      const result = a === null || b === null ? null : ofWholes(a, b);
      if (result === null) return null;
      return type === "int" ? Number(BigInt.asIntN(32, result)) : BigInt.asIntN(64, result);
    };
  };
}

function whole(value: KqlValue, from: KqlType | undefined): bigint | null {
  if (typeof value === "bigint") return value;
  const found = converted(value, from ?? "real", "long");
  return typeof found === "bigint" ? found : null;
}

function real([a, b]: readonly Evaluate[], compute: OfReals): Evaluate {
  return (cells) => {
    const [one, other] = [valueOf(a, cells), b === undefined ? 0 : valueOf(b, cells)];
    if (one === null || other === null) return null;
    return compute(Number(one), Number(other));
  };
}

function scaled(args: readonly Evaluate[]): Evaluate {
  const product = real(args, (a, b) => a * b);
  return (cells) => {
    const found = product(cells);
    return typeof found === "number" && Number.isFinite(found) ? BigInt(Math.trunc(found)) : null;
  };
}

function best(isBetter: (order: number) => boolean): Evaluator {
  return (args) => (cells) => {
    let found: KqlValue = null;
    for (const one of args) {
      const value = one(cells);
      if (value === null) continue;
      const order = found === null ? undefined : orderOf(value, found);
      if (found === null || (order !== undefined && isBetter(order))) found = value;
    }
    return found;
  };
}

/** Down to a multiple of the size; without one, to a whole number. */
function binned([value, size]: readonly Evaluate[]): Evaluate {
  return (cells) => {
    const [found, by] = [valueOf(value, cells), size === undefined ? 1 : valueOf(size, cells)];
    if (found === null || by === null || Number(by) <= 0) return null;
    if (typeof found === "bigint" && typeof by === "bigint") {
      return found - (((found % by) + by) % by);
    }
    return Math.floor(Number(found) / Number(by)) * Number(by);
  };
}
