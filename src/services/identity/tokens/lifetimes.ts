/** No token of ours is valid for longer than this, in seconds. */
export const TOKEN_LIFETIME_MAX_S = 3600;
/** How far the clocks of issuers and ours may be apart, in seconds. */
export const CLOCK_TOLERANCE_S = 60;
/** How long others may keep our public keys, in seconds. */
export const KEYS_CACHED_S = 300;
/** How long a new key is published before it signs: every cache has it by then. */
export const PUBLISH_AHEAD_S = 2 * KEYS_CACHED_S;
