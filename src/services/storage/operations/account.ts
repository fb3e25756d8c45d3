import type { Need } from "../access/rights.ts";
import { getAccountInformation, getServiceStats } from "../account/information.ts";
import { getServiceProperties, setServiceProperties } from "../account/service-properties.ts";
import { getUserDelegationKey } from "../account/user-delegation-key.ts";
import { getContainerAcl, setContainerAcl } from "../containers/acl.ts";
import type { Operation } from "../operations.ts";

const ofService = { level: "account", restype: "service" } as const;
const acl = { level: "container", restype: "container", comp: "acl" } as const;

/** Who may what: no signature hands on the right to decide that. */
const access = { letters: "", resource: "c", plane: "control", publicAccess: [] } as const;
const onService = { resource: "s", plane: "control", actions: [], publicAccess: [] } as const;

const NEEDS = {
  getAcl: { ...access, actions: ["getAcl/action"] },
  setAcl: { ...access, actions: ["setAcl/action"] },
  readService: { ...onService, letters: "r", serviceActions: ["read"] },
  writeService: { ...onService, letters: "w", serviceActions: ["write"] },
  delegate: {
    ...onService,
    letters: "",
    serviceActions: ["generateUserDelegationKey/action"],
  },
} as const satisfies Record<string, Need>;

/** The same at the account, at a container and at a blob. */
function accountInformation(method: string): Operation[] {
  const name = "Get Account Information";
  const shape = { name, method, restype: "account", comp: "properties" };
  const info = { letters: "r", plane: "control", actions: [], publicAccess: [] } as const;
  const need = { ...info, serviceActions: ["getInfo/action"], byContainerSignature: true };
  const run = getAccountInformation;
  return [
    { ...shape, level: "account", need: { ...need, resource: "s" }, run },
    { ...shape, level: "container", need: { ...need, resource: "c" }, run },
    { ...shape, level: "blob", need: { ...need, resource: "o" }, run },
  ];
}

/** The account as a whole, and who may what in it. */
export const ACCOUNT_OPERATIONS: readonly Operation[] = [
  ...accountInformation("GET"),
  ...accountInformation("HEAD"),
  {
    name: "Get Blob Service Properties",
    ...ofService,
    method: "GET",
    comp: "properties",
    need: NEEDS.readService,
    run: getServiceProperties,
  },
  {
    name: "Set Blob Service Properties",
    ...ofService,
    method: "PUT",
    comp: "properties",
    need: NEEDS.writeService,
    run: setServiceProperties,
  },
  {
    name: "Get Blob Service Stats",
    ...ofService,
    method: "GET",
    comp: "stats",
    need: NEEDS.readService,
    run: getServiceStats,
  },
  {
    name: "Get User Delegation Key",
    ...ofService,
    method: "POST",
    comp: "userdelegationkey",
    need: NEEDS.delegate,
    run: getUserDelegationKey,
  },
  { name: "Get Container ACL", ...acl, method: "GET", need: NEEDS.getAcl, run: getContainerAcl },
  { name: "Get Container ACL", ...acl, method: "HEAD", need: NEEDS.getAcl, run: getContainerAcl },
  { name: "Set Container ACL", ...acl, method: "PUT", need: NEEDS.setAcl, run: setContainerAcl },
];
