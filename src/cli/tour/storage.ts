import { claimsOf } from "./claims.ts";
import type { Guide, TourPart } from "./guide.ts";

const HEADERS = { Authorization: "Bearer $STORAGE_TOKEN", "x-svc-version": "2023-11-03" };
const API_VERSION = "api-version=2022-03-01-preview";
const BLOCK_HEADERS = ["x-svc-blob-append-offset", "x-svc-blob-committed-block-count"];
const DATA_ROLE = "Storage Blob Data Contributor";

/** Keep something: append blobs, written directly and from each other. */
export const storageTour: TourPart = {
  service: "storage",
  title: "Storage: append, append from a URL, read back",
  async run(guide) {
    await guide.call({
      title: "Blob storage is an audience of its own, so it takes a token of its own.",
      method: "POST",
      url: "$ATOLL_AUTH_URL/common/oauth2/token",
      form: {
        grant_type: "client_credentials",
        client_id: "$ATOLL_CLIENT_ID",
        client_secret: "$ATOLL_CLIENT_SECRET",
        resource: "$BLOB_ORIGIN",
      },
      keep: { STORAGE_TOKEN: "access_token" },
      expect: [200],
    });
    await createContainer(guide);
    await append(guide);
    await guide.call({
      title: "Read it back.",
      method: "GET",
      url: blob(guide, "second"),
      headers: HEADERS,
      expect: [200],
    });
  },
};

async function createContainer(guide: Guide): Promise<void> {
  const container = `$ATOLL_ACCOUNT_URL/tour-${guide.suffix}?restype=container`;
  await guide.call({
    title: "A container.",
    method: "PUT",
    url: container,
    headers: HEADERS,
    expect: [201],
  });
  guide.later({
    title: "Remove the container and what is in it.",
    method: "DELETE",
    url: container,
    headers: HEADERS,
    expect: [202],
  });
  await grantDataRole(guide);
}

/** What manages a resource does not open what is stored in it; that is a role of its own. */
async function grantDataRole(guide: Guide): Promise<void> {
  const assignments = "$ATOLL_AUTHORIZATION_BASE_URL/authorization/roleAssignments";
  const headers = { Authorization: "Bearer $TOKEN" };
  await guide.call({
    title: "A role for the data of this one container, as a program would be given it.",
    method: "POST",
    url: `${assignments}?${API_VERSION}`,
    headers,
    json: {
      principalObjectId: String(claimsOf(guide.valueOf("STORAGE_TOKEN"))["oid"]),
      principalType: "ServicePrincipal",
      roleDefinitionId: DATA_ROLE,
      scope:
        "/subscriptions/$ATOLL_SUBSCRIPTION_ID/resourceGroups/$ATOLL_RESOURCE_GROUP" +
        "/providers/Svc.Storage/storageAccounts/$ATOLL_STORAGE_ACCOUNT" +
        `/blobServices/default/containers/tour-${guide.suffix}`,
    },
    keepHeader: { GRANT: "location" },
    expect: [201],
  });
  guide.later({
    title: "Take the role back.",
    method: "DELETE",
    url: "$ATOLL_AUTHORIZATION_BASE_URL$GRANT",
    headers,
    expect: [204],
  });
}

async function append(guide: Guide): Promise<void> {
  for (const name of ["first", "second"]) {
    await guide.call({
      title: `An append blob, named ${name}.`,
      method: "PUT",
      url: blob(guide, name),
      headers: { ...HEADERS, "x-svc-blob-type": "AppendBlob" },
      expect: [201],
    });
  }
  await guide.call({
    title: "Append a block; the answer says where it begins and how many there are.",
    method: "PUT",
    url: `${blob(guide, "first")}?comp=appendblock`,
    headers: HEADERS,
    text: "hello from the first blob\n",
    showHeaders: BLOCK_HEADERS,
    expect: [201],
  });
  await guide.call({
    title: "Append a block to the second blob, taken from the first one's URL.",
    method: "PUT",
    url: `${blob(guide, "second")}?comp=appendblock`,
    headers: {
      ...HEADERS,
      "x-svc-copy-source": blob(guide, "first"),
      "x-svc-copy-source-authorization": "Bearer $STORAGE_TOKEN",
    },
    showHeaders: BLOCK_HEADERS,
    expect: [201],
  });
}

function blob(guide: Guide, name: string): string {
  return `$ATOLL_ACCOUNT_URL/tour-${guide.suffix}/${name}`;
}
