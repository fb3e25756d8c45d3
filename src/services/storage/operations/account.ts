import type { Need } from "../access/rights.ts";
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
  delegate: {
    ...onService,
    letters: "",
    serviceActions: ["generateUserDelegationKey/action"],
  },
} as const satisfies Record<string, Need>;

/** The account as a whole, and who may what in it. */
export const ACCOUNT_OPERATIONS: readonly Operation[] = [
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
