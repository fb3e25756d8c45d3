import {
  lookup,
  NO_CASCADE,
  primaryId,
  reference,
  stampColumns,
  stampReferences,
  text,
  entityName,
} from "./columns.ts";
import { interactions } from "./interactions.ts";
import { ORDINARY_MESSAGES } from "./system-tables.ts";
import type { TableDefinition } from "./types.ts";

interface Referencing {
  readonly logicalName: string;
  readonly schemaName: string;
  readonly entitySetName: string;
  readonly displayName: string;
  readonly description: string;
  /** The lookup to the row that the record is about. */
  readonly column: string;
  readonly typeColumn: string;
}

const REGARDING = { column: "regardingobjectid", typeColumn: "regardingobjecttypecode" } as const;

/** The tables whose rows may be about an interaction or an opportunity. */
export const referencingTables: readonly TableDefinition[] = [
  {
    ...REGARDING,
    logicalName: "asyncoperation",
    schemaName: "AsyncOperation",
    entitySetName: "asyncoperations",
    displayName: "System Job",
    description: "Work that goes on after a request.",
  },
  {
    ...REGARDING,
    logicalName: "bulkdeletefailure",
    schemaName: "BulkDeleteFailure",
    entitySetName: "bulkdeletefailures",
    displayName: "Bulk Delete Failure",
    description: "A row that a bulk deletion could not delete.",
  },
  {
    ...REGARDING,
    logicalName: "mailboxtrackingfolder",
    schemaName: "MailboxTrackingFolder",
    entitySetName: "mailboxtrackingfolders",
    displayName: "Mailbox Auto Tracking Folder",
    description: "A folder of a mailbox that is followed.",
  },
  {
    ...REGARDING,
    logicalName: "processsession",
    schemaName: "ProcessSession",
    entitySetName: "processsessions",
    displayName: "Process Session",
    description: "A run of a dialog.",
  },
  {
    ...REGARDING,
    logicalName: "syncerror",
    schemaName: "SyncError",
    entitySetName: "syncerrors",
    displayName: "Sync Error",
    description: "A change that could not be synchronized.",
  },
  {
    column: "objectid",
    typeColumn: "objecttypecode",
    logicalName: "principalobjectattributeaccess",
    schemaName: "PrincipalObjectAttributeAccess",
    entitySetName: "principalobjectattributeaccessset",
    displayName: "Field Sharing",
    description: "Access to one column of one row.",
  },
].map(referencing);

function referencing(options: Referencing): TableDefinition {
  const { column, typeColumn, ...names } = options;
  const { logicalName } = names;
  const targets = [interactions.logicalName, "opportunity"];
  return {
    ...names,
    collectionSchemaName: `${names.schemaName}s`,
    primaryId: `${logicalName}id`,
    primaryName: "name",
    ownership: "OrganizationOwned",
    isCustom: false,
    columns: [
      primaryId(`${logicalName}id`),
      text("name", { displayName: "Name", lengthMax: 200 }),
      lookup(column, targets, { typeColumn, displayName: "Regarding" }),
      entityName(typeColumn, { readOnly: true }),
      ...stampColumns(),
    ],
    keys: [],
    references: [
      ...stampReferences(logicalName),
      ...targets.map((target) =>
        reference(logicalName, column, target, {
          schemaName: `${target}_${names.schemaName}s`,
          navigationProperty: `${column}_${target}`,
          cascade: { ...NO_CASCADE, delete: "Cascade" },
        }),
      ),
    ],
    links: [],
    states: [],
    messages: ORDINARY_MESSAGES,
    hasChangeTracking: false,
  };
}
