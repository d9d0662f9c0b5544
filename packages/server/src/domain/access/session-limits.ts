// How long a session lasts: without being used, and at most.
const HOUR_MS = 60 * 60 * 1_000

export const SESSION_IDLE_MS = 12 * HOUR_MS
export const SESSION_LONGEST_MS = 7 * 24 * HOUR_MS

/** A session's last use is written at most this often: every page makes several requests. */
export const SEEN_EVERY_MS = 60_000
