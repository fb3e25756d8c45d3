/** What a `$filter` and the like consist of. `at` is the position in the text of the option. */
export type Expression =
  | AliasNode
  | CallNode
  | ComparisonNode
  | CountNode
  | JsonNode
  | LambdaNode
  | LiteralNode
  | LogicNode
  | MathNode
  | MembershipNode
  | NegationNode
  | NotNode
  | PathNode
  | QueryFunctionNode;

interface At {
  readonly at: number;
}

export type LiteralType = "boolean" | "date" | "guid" | "null" | "number" | "text" | "time";

export interface LiteralNode extends At {
  readonly kind: "literal";
  readonly type: LiteralType;
  /** Without quotes; as it was written for whatever is not a text. */
  readonly value: string;
}

/** An array or an object, as a value of a parameter. */
export interface JsonNode extends At {
  readonly kind: "json";
  readonly value: unknown;
}

/** `@name`, whose value is a query option of its own. */
export interface AliasNode extends At {
  readonly kind: "alias";
  readonly name: string;
}

export interface PathNode extends At {
  readonly kind: "path";
  readonly segments: readonly string[];
}

/** `rows/$count` */
export interface CountNode extends At {
  readonly kind: "count";
  readonly path: readonly string[];
}

/** `rows/any(x:…)`; no body means that there is a row at all. */
export interface LambdaNode extends At {
  readonly kind: "lambda";
  readonly quantifier: "all" | "any";
  readonly path: readonly string[];
  readonly variable: string;
  readonly body: Expression | undefined;
}

/** `contains(a,'b')` */
export interface CallNode extends At {
  readonly kind: "call";
  readonly name: string;
  readonly args: readonly Expression[];
}

/** `Microsoft.Dynamics.CRM.Today(PropertyName='a')` */
export interface QueryFunctionNode extends At {
  readonly kind: "queryFunction";
  readonly name: string;
  readonly named: ReadonlyMap<string, Expression>;
}

export type ComparisonOperator = "eq" | "ge" | "gt" | "le" | "lt" | "ne";

export interface ComparisonNode extends At {
  readonly kind: "comparison";
  readonly operator: ComparisonOperator;
  readonly left: Expression;
  readonly right: Expression;
}

export interface MembershipNode extends At {
  readonly kind: "in";
  readonly left: Expression;
  /** An alias stands for all the values. */
  readonly values: AliasNode | readonly Expression[];
}

export interface LogicNode extends At {
  readonly kind: "and" | "or";
  /** Two at least. */
  readonly operands: readonly Expression[];
}

export interface NotNode extends At {
  readonly kind: "not";
  readonly operand: Expression;
}

export type MathOperator = "add" | "div" | "mod" | "mul" | "sub";

export interface MathNode extends At {
  readonly kind: "math";
  readonly operator: MathOperator;
  readonly left: Expression;
  readonly right: Expression;
}

export interface NegationNode extends At {
  readonly kind: "negation";
  readonly operand: Expression;
}

export interface OrderItem {
  readonly value: Expression;
  readonly descending: boolean;
}

/** One navigation of `$expand` with the options between its parentheses. */
export interface ExpandItem extends At {
  readonly path: readonly string[];
  /** `nav/$ref`: only where the rows are. */
  readonly isReference: boolean;
  readonly options: QueryOptions;
  /** The options as they were written, by their names. */
  readonly written: ReadonlyMap<string, string>;
}

export type AggregateMethod = "average" | "countdistinct" | "max" | "min" | "sum";

/** `path with sum as name`, or `$count as name`. */
export interface Aggregate extends At {
  readonly method: AggregateMethod | "count";
  /** Undefined for `count`. */
  readonly value: Expression | undefined;
  readonly name: string;
}

export type ApplyStep =
  | { readonly kind: "aggregate"; readonly aggregates: readonly Aggregate[] }
  | { readonly kind: "filter"; readonly condition: Expression }
  | {
      readonly kind: "groupby";
      readonly paths: readonly PathNode[];
      readonly aggregates: readonly Aggregate[];
    };

export type Search =
  | { readonly kind: "and" | "or"; readonly operands: readonly Search[] }
  | { readonly kind: "not"; readonly operand: Search }
  | { readonly kind: "term"; readonly text: string };

/** All options of a query; what was not said is undefined or empty. */
export interface QueryOptions {
  /** Names as they were written; undefined for all columns. */
  readonly select: readonly string[] | undefined;
  readonly expand: readonly ExpandItem[];
  readonly filter: Expression | undefined;
  readonly orderby: readonly OrderItem[];
  readonly top: number | undefined;
  readonly count: boolean;
  readonly search: Search | undefined;
  readonly apply: readonly ApplyStep[];
}
