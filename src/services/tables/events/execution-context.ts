import type { Actor, Context } from "../context.ts";
import { isLookup, type Table } from "../definitions/table.ts";
import type { Column } from "../definitions/types.ts";
import { targetOf } from "../rows/present.ts";
import type { Cell, Row } from "../storage/sql.ts";
import type { Happening } from "./happenings.ts";
import type { Step } from "./steps.ts";

const CONTRACTS = "http://schemas.microsoft.com/xrm/2011/Contracts";

interface Pair {
  readonly key: string;
  readonly value: unknown;
}

export interface Telling {
  readonly context: Context;
  readonly actor: Actor;
  readonly step: Step;
  /** The id of this message to this step; the same when it is sent again. */
  readonly id: string;
  readonly at: Date;
}

/** What a webhook is told of something that happens, in the public shape. */
export function executionContext(happening: Happening, telling: Telling): object {
  const { context, actor, step, id, at } = telling;
  const { table, message, rowId } = happening;
  const { organization } = context;
  return {
    BusinessUnitId: organization.businessUnitId,
    CorrelationId: happening.correlationId,
    Depth: 1,
    InitiatingUserId: actor.behalfOf ?? actor.userId,
    InputParameters: inputParameters(happening),
    IsExecutingOffline: false,
    IsInTransaction: step.isSynchronous,
    IsOfflinePlayback: false,
    IsolationMode: 1,
    MessageName: message,
    Mode: step.isSynchronous ? 0 : 1,
    OperationCreatedOn: `/Date(${at.getTime()}+0000)/`,
    OperationId: id,
    OrganizationId: organization.id,
    OrganizationName: organization.name,
    OutputParameters: message === "Create" ? [{ key: "id", value: rowId }] : [],
    OwningExtension: {
      __type: `EntityReference:${CONTRACTS}`,
      Id: step.id,
      KeyAttributes: [],
      LogicalName: "sdkmessageprocessingstep",
      Name: step.name,
      RowVersion: null,
    },
    ParentContext: null,
    PostEntityImages: [],
    PreEntityImages: [],
    PrimaryEntityId: rowId === "" ? "00000000-0000-0000-0000-000000000000" : rowId,
    PrimaryEntityName: table.logicalName,
    RequestId: id,
    SecondaryEntityName: "none",
    SharedVariables: [],
    Stage: step.stage,
    UserId: actor.userId,
  };
}

function inputParameters({ message, table, rowId, rows, content }: Happening): readonly Pair[] {
  if (message === "CreateMultiple" || message === "UpdateMultiple") {
    const Entities = rows.map((row) => entityOf(table, row.rowId, row.content));
    const value = { __type: `EntityCollection:${CONTRACTS}`, EntityName: table.logicalName };
    return [{ key: "Targets", value: { ...value, Entities } }];
  }
  if (message === "Create" || message === "Update") {
    return [{ key: "Target", value: entityOf(table, rowId, content) }];
  }
  const target = rowId === "" ? [] : [{ key: "Target", value: referenceOf(table, rowId) }];
  const more = Object.entries(content).map(([key, value]) => ({ key, value }));
  return [...target, ...more];
}

function referenceOf({ logicalName }: Table, id: string): object {
  return {
    __type: `EntityReference:${CONTRACTS}`,
    Id: id,
    KeyAttributes: [],
    LogicalName: logicalName,
    Name: null,
    RowVersion: null,
  };
}

function entityOf(table: Table, id: string, content: Row): object {
  const columns = table.columns.filter(
    (column) => column.logicalName in content && !("isSecret" in column),
  );
  return {
    __type: `Entity:${CONTRACTS}`,
    Attributes: columns.map((column) => ({
      key: column.logicalName,
      value: valueOf(column, content[column.logicalName] ?? null, content),
    })),
    EntityState: null,
    FormattedValues: [],
    Id: id,
    KeyAttributes: [],
    LogicalName: table.logicalName,
    RelatedEntities: [],
    RowVersion: content["versionnumber"] ?? null,
  };
}

function valueOf(column: Column, cell: Cell, row: Row): unknown {
  if (cell === null) return null;
  if (column.type === "Boolean") return cell === 1;
  if (column.type === "DateTime") return `/Date(${Date.parse(String(cell))})/`;
  if (column.type === "Picklist" || column.type === "State" || column.type === "Status") {
    return { __type: `OptionSetValue:${CONTRACTS}`, Value: cell };
  }
  if (column.type === "Money") return { __type: `Money:${CONTRACTS}`, Value: cell };
  if (!isLookup(column)) return cell;
  const reference = { __type: `EntityReference:${CONTRACTS}`, Id: cell, KeyAttributes: [] };
  return { ...reference, LogicalName: targetOf(column, row), Name: null, RowVersion: null };
}
