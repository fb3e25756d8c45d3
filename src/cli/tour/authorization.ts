import type { Guide, TourPart } from "./guide.ts";

const API_VERSION = "api-version=2022-03-01-preview";

/** May you? A new principal is refused, is granted a role, and is let in. */
export const authorizationTour: TourPart = {
  service: "authorization",
  title: "Authorization: be refused, be granted a role",
  async run(guide) {
    await createGuest(guide);
    await look(guide, "Nobody has granted it anything, so it is refused.", 403);
    await guide.call({
      title: "The development client grants it a role: it may read everything.",
      method: "POST",
      url: `$ATOLL_AUTHORIZATION_BASE_URL/authorization/roleAssignments?${API_VERSION}`,
      headers: { Authorization: "Bearer $TOKEN" },
      json: {
        principalObjectId: "$GUEST_ID",
        principalType: "ServicePrincipal",
        roleDefinitionId: "Reader",
        scope: "/",
      },
      expect: [201],
    });
    await look(guide, "The very next request is let in.", 200);
    await guide.call({
      title: "What is granted to it.",
      method: "GET",
      url:
        `$ATOLL_AUTHORIZATION_BASE_URL/authorization/roleAssignments?${API_VERSION}` +
        "&$filter=principalId%20eq%20'$GUEST_ID'",
      headers: { Authorization: "Bearer $TOKEN" },
      expect: [200],
    });
  },
};

async function createGuest(guide: Guide): Promise<void> {
  await guide.call({
    title: "A new service principal, for a program of its own.",
    method: "POST",
    url: "$ATOLL_GATEWAY/admin/principals",
    headers: { Authorization: "Bearer $TOKEN" },
    json: { kind: "ServicePrincipal", name: `tour-${guide.suffix}` },
    keep: { GUEST_ID: "id" },
    expect: [201],
  });
  guide.later({
    title: "Remove the service principal; its role assignments go with it.",
    method: "DELETE",
    url: "$ATOLL_GATEWAY/admin/principals/$GUEST_ID",
    headers: { Authorization: "Bearer $TOKEN" },
    expect: [204],
  });
  await guide.call({
    title: "A token for it, made by somebody who may impersonate it.",
    method: "POST",
    url: "$ATOLL_GATEWAY/admin/tokens",
    headers: { Authorization: "Bearer $TOKEN" },
    json: { principalId: "$GUEST_ID", audience: "$ATOLL_GATEWAY" },
    keep: { GUEST_TOKEN: "access_token" },
    expect: [200, 201],
  });
}

async function look(guide: Guide, title: string, status: number): Promise<void> {
  await guide.call({
    title,
    method: "GET",
    url: "$ATOLL_GATEWAY/admin/principals?kind=ServicePrincipal",
    headers: { Authorization: "Bearer $GUEST_TOKEN" },
    expect: [status],
  });
}
