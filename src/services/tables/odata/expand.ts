import type { Navigation, Table } from "../definitions/table.ts";
import { badQuery } from "../protocol/refusals.ts";
import { expandCollection } from "./expand-collection.ts";
import { expandSingle } from "./expand-single.ts";
import { NAMESPACE, type Expanding, type Parents } from "./expanding.ts";
import type { Asked } from "./query.ts";
import type { Querying } from "./sql/scope.ts";
import type { ExpandItem } from "./syntax/ast.ts";

/** Navigation properties of one query, at all depths. */
const ITEMS_MAX = 25;

/** Adds to rows what they lead to: one query for each navigation property, not for each row. */
export async function expandRows(
  querying: Querying,
  asked: Asked,
  parents: Parents,
  items: readonly ExpandItem[],
): Promise<void> {
  if (countItems(items) > ITEMS_MAX) {
    throw badQuery(`$expand has more than ${ITEMS_MAX} navigation properties.`);
  }
  const expanding: Expanding = {
    querying,
    asked,
    expand: async (some, inner) => expandRows(querying, asked, some, inner),
  };
  for (const item of items) {
    const navigation = navigationOf(parents.table, item);
    if (navigation.kind === "single") await expandSingle(expanding, parents, { navigation, item });
    else await expandCollection(expanding, parents, { navigation, item });
  }
}

function countItems(items: readonly ExpandItem[]): number {
  return items.reduce((count, { options }) => count + 1 + countItems(options.expand), 0);
}

function navigationOf(table: Table, { path }: ExpandItem): Navigation {
  const [name = "", cast, ...more] = path;
  const isCast = cast === undefined || (cast.startsWith(NAMESPACE) && more.length === 0);
  const navigation = isCast ? table.navigation(name) : undefined;
  if (navigation !== undefined) return navigation;
  throw badQuery(
    `Could not find a navigation property named '${path.join("/")}' on type ` +
      `'${NAMESPACE}${table.logicalName}'.`,
  );
}
