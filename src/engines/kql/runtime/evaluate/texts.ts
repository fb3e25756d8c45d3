import type { Json, KqlType, KqlValue } from "../../types.ts";
import { textOfJson } from "../dynamic/json.ts";
import { compileRegex } from "../text/regex/regex.ts";
import { hasTerm } from "../text/terms.ts";
import { converted } from "./convert.ts";
import type { Evaluate, Evaluator } from "./evaluate.ts";
import { valueOf } from "./logic.ts";

/** Functions of texts, and those that pack values. */
export const texts: Readonly<Record<string, Evaluator>> = {
  ...both("contains", (text, part) => text.includes(part)),
  ...both("startswith", (text, part) => text.startsWith(part)),
  ...both("endswith", (text, part) => text.endsWith(part)),
  has: test((text, part) => hasTerm(text, part)),
  "=~": test((text, part) => text.toLowerCase() === part.toLowerCase()),
  "!~": test((text, part) => text.toLowerCase() !== part.toLowerCase()),
  "matches regex": test((text, regex) => compileRegex(regex).match(text) !== null),
  strcat:
    (args, { args: types }) =>
    (cells) =>
      args
        .map((one, index) =>
          textAt(converted(one(cells), types[index]?.type ?? "string", "string")),
        )
        .join(""),
  tolower:
    ([value]) =>
    (cells) =>
      textAt(valueOf(value, cells)).toLowerCase(),
  toupper:
    ([value]) =>
    (cells) =>
      textAt(valueOf(value, cells)).toUpperCase(),
  strlen:
    ([value]) =>
    (cells) =>
      BigInt(Array.from(textAt(valueOf(value, cells))).length),
  substring:
    ([value, start, length]) =>
    (cells) => {
      const from = Math.max(0, Number(valueOf(start, cells) ?? 0n));
      const count = length === undefined ? undefined : Number(valueOf(length, cells) ?? 0n);
      const characters = Array.from(textAt(valueOf(value, cells)));
      return characters.slice(from, count === undefined ? undefined : from + count).join("");
    },
  pack_array: packed,
  bag_pack: (args, call) => {
    const list = packed(args, call);
    return (cells) => {
      const items = list(cells);
      const pairs = items.flatMap((key, at): [string, Json][] => {
        return at % 2 === 0 ? [[textOfJson(key), items[at + 1] ?? null]] : [];
      });
      return Object.fromEntries(pairs);
    };
  },
  array_length:
    ([value]) =>
    (cells) => {
      const found = valueOf(value, cells);
      return Array.isArray(found) ? BigInt(found.length) : null;
    },
  strcat_array:
    ([value, delimiter]) =>
    (cells) => {
      const found = valueOf(value, cells);
      const items: readonly Json[] = Array.isArray(found) ? found : [];
      return items.map(textOfJson).join(textAt(valueOf(delimiter, cells)));
    },
};

function textAt(value: KqlValue): string {
  return value === null ? "" : textOfJson(value);
}

function test(compare: (text: string, part: string) => boolean): Evaluator {
  return ([text, part]) =>
    (cells) =>
      compare(textAt(valueOf(text, cells)), textAt(valueOf(part, cells)));
}

/** The operator with and without regard to case. */
function both(name: string, compare: (text: string, part: string) => boolean) {
  return {
    [name]: test((text, part) => compare(text.toLowerCase(), part.toLowerCase())),
    [`${name}_cs`]: test(compare),
  };
}

function packed(
  args: readonly Evaluate[],
  { args: types }: { readonly args: readonly { readonly type: KqlType }[] },
): (cells: readonly KqlValue[]) => Json[] {
  return (cells) =>
    args.map((one, index): Json => {
      return converted(one(cells), types[index]?.type ?? "dynamic", "dynamic");
    });
}
