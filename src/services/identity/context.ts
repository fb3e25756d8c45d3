import type { FastifyBaseLogger } from "fastify";
import type { Decide } from "#platform/auth/access.ts";
import type { Environment } from "#platform/environment.ts";
import type { Store } from "#platform/store/store.ts";
import type { FormGuard } from "./login/form-guard.ts";
import type { RateLimit } from "./login/rate-limit.ts";
import type { Directory } from "./principals/directory.ts";
import type { IdentityTables } from "./store.ts";
import type { KeyRing } from "./tokens/key-ring.ts";

/** What the operations of this service need: nothing global, nothing hidden. */
export interface Context {
  readonly store: Store<IdentityTables>;
  readonly environment: Environment;
  readonly log: FastifyBaseLogger;
  readonly decide: Decide;
  readonly directory: Directory;
  readonly keys: KeyRing;
  readonly tenantId: string;
  /** Where this server answers, without a final slash. Known only once it listens. */
  readonly authUrl: () => string;
  /** The audiences that tokens are issued for. */
  readonly resources: () => readonly string[];
  readonly tokenLifetimeS: number;
  /** Clients reach this server over TLS, so cookies may say so. */
  readonly isSecure: boolean;
  readonly forms: FormGuard;
  readonly attempts: RateLimit;
  readonly principalRemoved: (id: string) => Promise<void>;
  /** Before a principal is disabled; throws when it may not be. */
  readonly principalDisabled: (id: string) => Promise<void>;
}
