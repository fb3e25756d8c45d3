import { castSql } from "./conversions.ts";
import { arg, type Emitter, type EmitterTable } from "./emitter.ts";

const iff: Emitter = (args, type) => {
  const [test, yes, no] = [arg(args, 0), castSql(arg(args, 1), type), castSql(arg(args, 2), type)];
  return `CASE WHEN ${test.text} THEN ${yes.text} ELSE ${no.text} END`;
};

export const conditionals: EmitterTable = {
  iff,
  iif: iff,
  case: (args, type) => {
    const branches: string[] = [];
    for (let index = 0; index + 1 < args.length; index += 2) {
      const value = castSql(arg(args, index + 1), type);
      branches.push(`WHEN ${arg(args, index).text} THEN ${value.text}`);
    }
    const other = castSql(arg(args, args.length - 1), type);
    return `CASE ${branches.join(" ")} ELSE ${other.text} END`;
  },
  assert: ([condition, message]) =>
    `CASE WHEN ${condition?.text ?? ""} THEN true ELSE error(${message?.text ?? ""}) END`,
  coalesce: (args, type) => {
    const values = args.map((one) => castSql(one, type).text);
    if (type !== "string") return `coalesce(${values.join(", ")})`;
    return `coalesce(${values.map((one) => `nullif(${one}, '')`).join(", ")}, '')`;
  },
};
