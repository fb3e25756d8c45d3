import {
  boolean,
  lookup,
  memo,
  migrationColumns,
  money,
  ownerColumns,
  ownerReferences,
  primaryId,
  reference,
  stampColumns,
  stampReferences,
  state,
  status,
  text,
  guid,
  NO_CASCADE,
  dateTime,
  integer,
} from "./columns.ts";
import { MESSAGES, type Message, type State, type TableDefinition } from "./types.ts";

const NAME_LENGTH = 300;
const DESCRIPTION_LENGTH = 2000;

const RETENTION: ReadonlySet<Message> = new Set([
  "BulkRetain",
  "PurgeRetainedContent",
  "Retain",
  "RollbackRetain",
  "ValidateRetentionConfig",
]);

/** The messages of tables whose rows are not put away for the long term. */
export const ORDINARY_MESSAGES = MESSAGES.filter((message) => !RETENTION.has(message));

const ACTIVE_INACTIVE: readonly State[] = [
  { value: 0, label: "Active", defaultStatus: 1, statuses: [{ value: 1, label: "Active" }] },
  { value: 1, label: "Inactive", defaultStatus: 2, statuses: [{ value: 2, label: "Inactive" }] },
];

const shared = {
  isCustom: false,
  keys: [],
  links: [],
  states: [],
  messages: ORDINARY_MESSAGES,
  hasChangeTracking: true,
} as const;

/** A chance to sell something; what research is about. */
export const opportunity: TableDefinition = {
  ...shared,
  logicalName: "opportunity",
  schemaName: "Opportunity",
  entitySetName: "opportunities",
  collectionSchemaName: "Opportunities",
  displayName: "Opportunity",
  description: "A chance to sell something.",
  primaryId: "opportunityid",
  primaryName: "name",
  ownership: "UserOwned",
  columns: [
    primaryId("opportunityid"),
    text("name", { required: "ApplicationRequired", lengthMax: NAME_LENGTH, displayName: "Topic" }),
    memo("description", { lengthMax: DESCRIPTION_LENGTH, displayName: "Description" }),
    money("estimatedvalue", { displayName: "Est. Revenue" }),
    dateTime("estimatedclosedate", {
      format: "DateOnly",
      behavior: "DateOnly",
      displayName: "Est. Close Date",
    }),
    integer("closeprobability", { min: 0, max: 100, displayName: "Probability" }),
    state(),
    status(),
    ...migrationColumns(),
    ...stampColumns(),
    ...ownerColumns({ assignable: true }),
  ],
  references: [...stampReferences("opportunity"), ...ownerReferences("opportunity")],
  states: [
    {
      value: 0,
      label: "Open",
      defaultStatus: 1,
      statuses: [
        { value: 1, label: "In Progress" },
        { value: 2, label: "On Hold" },
      ],
    },
    { value: 1, label: "Won", defaultStatus: 3, statuses: [{ value: 3, label: "Won" }] },
    {
      value: 2,
      label: "Lost",
      defaultStatus: 4,
      statuses: [
        { value: 4, label: "Canceled" },
        { value: 5, label: "Out-Sold" },
      ],
    },
  ],
};

/** Who can work with rows: every principal that has called, by its object id. */
export const systemUser: TableDefinition = {
  ...shared,
  logicalName: "systemuser",
  schemaName: "SystemUser",
  entitySetName: "systemusers",
  collectionSchemaName: "SystemUsers",
  displayName: "User",
  description: "Whoever can work with rows.",
  primaryId: "systemuserid",
  primaryName: "fullname",
  ownership: "BusinessOwned",
  columns: [
    primaryId("systemuserid"),
    text("fullname", { lengthMax: 200, displayName: "Full Name" }),
    text("domainname", { lengthMax: 1024, displayName: "User Name" }),
    text("internalemailaddress", { format: "Email", displayName: "Primary Email" }),
    guid("applicationid", { displayName: "Application ID" }),
    guid("azureactivedirectoryobjectid", { displayName: "Directory Object ID" }),
    boolean("isdisabled", { displayName: "Status" }),
    lookup("businessunitid", ["businessunit"], { displayName: "Business Unit" }),
    ...stampColumns(),
  ],
  references: [
    ...stampReferences("systemuser"),
    reference("systemuser", "businessunitid", "businessunit", {
      schemaName: "business_unit_system_users",
      cascade: { ...NO_CASCADE, delete: "Restrict" },
    }),
  ],
};

export const team: TableDefinition = {
  ...shared,
  logicalName: "team",
  schemaName: "Team",
  entitySetName: "teams",
  collectionSchemaName: "Teams",
  displayName: "Team",
  description: "Users who own rows together.",
  primaryId: "teamid",
  primaryName: "name",
  ownership: "BusinessOwned",
  columns: [
    primaryId("teamid"),
    text("name", { required: "ApplicationRequired", lengthMax: 160, displayName: "Team Name" }),
    memo("description", { lengthMax: DESCRIPTION_LENGTH, displayName: "Description" }),
    lookup("businessunitid", ["businessunit"], { displayName: "Business Unit" }),
    ...stampColumns(),
  ],
  references: [
    ...stampReferences("team"),
    reference("team", "businessunitid", "businessunit", {
      schemaName: "business_unit_teams",
      cascade: { ...NO_CASCADE, delete: "Restrict" },
    }),
  ],
  links: [
    {
      schemaName: "teammembership_association",
      target: "systemuser",
      navigationProperty: "teammembership_association",
      targetNavigationProperty: "teammembership_association",
    },
  ],
};

export const businessUnit: TableDefinition = {
  ...shared,
  logicalName: "businessunit",
  schemaName: "BusinessUnit",
  entitySetName: "businessunits",
  collectionSchemaName: "BusinessUnits",
  displayName: "Business Unit",
  description: "A part of the organization.",
  primaryId: "businessunitid",
  primaryName: "name",
  ownership: "BusinessOwned",
  columns: [
    primaryId("businessunitid"),
    text("name", { required: "ApplicationRequired", lengthMax: 160, displayName: "Name" }),
    lookup("parentbusinessunitid", ["businessunit"], { displayName: "Parent Business" }),
    boolean("isdisabled", { displayName: "Is Disabled" }),
    ...stampColumns(),
  ],
  references: [
    ...stampReferences("businessunit"),
    reference("businessunit", "parentbusinessunitid", "businessunit", {
      schemaName: "business_unit_parent_business_unit",
      cascade: { ...NO_CASCADE, delete: "Restrict" },
    }),
  ],
};

/** Active or not, for tables that know no more of a row's life. */
export { ACTIVE_INACTIVE };
