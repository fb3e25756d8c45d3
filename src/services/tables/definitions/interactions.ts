import {
  boolean,
  guid,
  lookup,
  migrationColumns,
  NO_CASCADE,
  ownerColumns,
  ownerReferences,
  picklist,
  primaryId,
  reference,
  stampColumns,
  stampReferences,
  state,
  status,
  text,
} from "./columns.ts";
import { MESSAGES, type Column, type TableDefinition } from "./types.ts";

const NAME = "svc_opportunityresearchuserinteractions";
const PRIMARY_NAME_LENGTH = 850;
const required = { required: "ApplicationRequired" } as const;

const columns: readonly Column[] = [
  picklist("svc_feedback", {
    displayName: "Feedback",
    options: [
      { value: 10_001, label: "Thumbs up" },
      { value: 10_002, label: "Thumbs down" },
      { value: 10_003, label: "None" },
    ],
  }),
  boolean("svc_isdone", { displayName: "Is Done" }),
  boolean("svc_isseen", { displayName: "Is Seen" }),
  text("svc_lastupdatetimestamp", { displayName: "Last Update Timestamp" }),
  guid("svc_macroagentorchestrationid", {
    displayName: "Macro Agent Orchestration Id",
    description: "The current run of the agent orchestration.",
  }),
  lookup("svc_opportunity", ["opportunity"], { displayName: "Opportunity" }),
  text("svc_opportunityid", { ...required, displayName: "Opportunity Id" }),
  text(NAME, { ...required, displayName: "Name", lengthMax: PRIMARY_NAME_LENGTH }),
  primaryId(`${NAME}id`),
  text("svc_result", { displayName: "Result", format: "TextArea" }),
  text("svc_sarid", { ...required, displayName: "Sar Id" }),
  picklist("svc_topic", {
    ...required,
    displayName: "Topic",
    options: [
      { value: 1, label: "Deal Risk" },
      { value: 2, label: "Page" },
    ],
  }),
  text("svc_uiitemid", { ...required, displayName: "UI Item Id" }),
  state(),
  status(),
  ...migrationColumns(),
  ...stampColumns(),
  ...ownerColumns({ assignable: false }),
];

/** What a person did with the results of research on an opportunity. */
export const interactions: TableDefinition = {
  logicalName: NAME,
  schemaName: "svc_OpportunityResearchUserInteractions",
  entitySetName: `${NAME}es`,
  collectionSchemaName: "svc_OpportunityResearchUserInteractionses",
  displayName: "Opportunity Research User Interactions",
  description: "What a person did with the results of research on an opportunity.",
  primaryId: `${NAME}id`,
  primaryName: NAME,
  ownership: "None",
  isCustom: true,
  columns,
  keys: [],
  references: [
    ...stampReferences(NAME),
    ...ownerReferences(NAME),
    reference(NAME, "svc_opportunity", "opportunity", {
      cascade: { ...NO_CASCADE, delete: "Cascade", archive: "RemoveLink" },
    }),
  ],
  links: [],
  states: [
    { value: 0, label: "Active", defaultStatus: 1, statuses: [{ value: 1, label: "Active" }] },
    { value: 1, label: "Inactive", defaultStatus: 2, statuses: [{ value: 2, label: "Inactive" }] },
  ],
  messages: MESSAGES,
  hasChangeTracking: true,
};
