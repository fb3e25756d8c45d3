import { claimsOf } from "./claims.ts";
import type { TourPart } from "./guide.ts";

/** Who are you? A token for a program, and what stands in it. */
export const identityTour: TourPart = {
  service: "identity",
  title: "Identity: get a token",
  async run(guide) {
    await guide.call({
      title: "The development client asks for a token, as any OAuth 2.0 client does.",
      method: "POST",
      url: "$ATOLL_AUTH_URL/common/oauth2/token",
      form: {
        grant_type: "client_credentials",
        client_id: "$ATOLL_CLIENT_ID",
        client_secret: "$ATOLL_CLIENT_SECRET",
        resource: "$ATOLL_GATEWAY",
      },
      keep: { TOKEN: "access_token" },
      expect: [200],
    });
    const claims = JSON.stringify(claimsOf(guide.valueOf("TOKEN")), null, 2);
    guide.say(`# What the token says:\n${claims}`);
    await guide.call({
      title: "Anybody can check its signature with the keys that this document names.",
      method: "GET",
      url: "$ATOLL_AUTH_URL/.well-known/openid-configuration",
      expect: [200],
    });
  },
};
