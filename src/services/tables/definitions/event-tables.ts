import {
  integer,
  lookup,
  NO_CASCADE,
  picklist,
  primaryId,
  reference,
  stampColumns,
  stampReferences,
  state,
  status,
  text,
} from "./columns.ts";
import { ORDINARY_MESSAGES } from "./system-tables.ts";
import type { TableDefinition } from "./types.ts";

const URL_LENGTH = 2083;
const SECRET_LENGTH = 2000;
const NAME_LENGTH = 256;

export const ENDPOINTS = "serviceendpoint";
export const STEPS = "sdkmessageprocessingstep";

const shared = {
  isCustom: false,
  ownership: "OrganizationOwned",
  keys: [],
  links: [],
  messages: ORDINARY_MESSAGES,
  hasChangeTracking: true,
} as const;

/** Where events are sent to. */
const endpoints: TableDefinition = {
  ...shared,
  logicalName: ENDPOINTS,
  schemaName: "ServiceEndpoint",
  entitySetName: "serviceendpoints",
  collectionSchemaName: "ServiceEndpoints",
  displayName: "Service Endpoint",
  description: "Where events are sent to.",
  primaryId: "serviceendpointid",
  primaryName: "name",
  columns: [
    primaryId("serviceendpointid"),
    text("name", { required: "ApplicationRequired", lengthMax: NAME_LENGTH }),
    text("url", { required: "ApplicationRequired", lengthMax: URL_LENGTH, format: "Url" }),
    picklist("contract", { options: [{ value: 8, label: "Webhook" }] }),
    picklist("authtype", {
      options: [
        { value: 4, label: "WebhookKey" },
        { value: 5, label: "HttpHeader" },
        { value: 6, label: "HttpQueryString" },
      ],
    }),
    { ...text("authvalue", { lengthMax: SECRET_LENGTH }), isSecret: true },
    ...stampColumns(),
  ],
  references: stampReferences(ENDPOINTS),
  states: [],
};

/** Which events are sent where. */
const steps: TableDefinition = {
  ...shared,
  logicalName: STEPS,
  schemaName: "SdkMessageProcessingStep",
  entitySetName: "sdkmessageprocessingsteps",
  collectionSchemaName: "SdkMessageProcessingSteps",
  displayName: "Sdk Message Processing Step",
  description: "Which events are sent where.",
  primaryId: "sdkmessageprocessingstepid",
  primaryName: "name",
  columns: [
    primaryId("sdkmessageprocessingstepid"),
    text("name", { lengthMax: NAME_LENGTH }),
    text("messagename", { required: "ApplicationRequired", lengthMax: NAME_LENGTH }),
    text("primaryobjecttypecode", {
      lengthMax: NAME_LENGTH,
      description: "The table whose events are meant; nothing for all tables.",
    }),
    lookup("eventhandler", [ENDPOINTS], { required: "ApplicationRequired" }),
    picklist("stage", {
      options: [
        { value: 20, label: "Pre-operation" },
        { value: 40, label: "Post-operation" },
      ],
    }),
    picklist("mode", {
      options: [
        { value: 0, label: "Synchronous" },
        { value: 1, label: "Asynchronous" },
      ],
    }),
    integer("rank", { min: 0 }),
    state(),
    status(),
    ...stampColumns(),
  ],
  references: [
    ...stampReferences(STEPS),
    reference(STEPS, "eventhandler", ENDPOINTS, {
      schemaName: "serviceendpoint_sdkmessageprocessingstep",
      navigationProperty: "eventhandler_serviceendpoint",
      cascade: { ...NO_CASCADE, delete: "Cascade" },
    }),
  ],
  states: [
    { value: 0, label: "Enabled", defaultStatus: 1, statuses: [{ value: 1, label: "Enabled" }] },
    { value: 1, label: "Disabled", defaultStatus: 2, statuses: [{ value: 2, label: "Disabled" }] },
  ],
};

export const eventTables: readonly TableDefinition[] = [endpoints, steps];
