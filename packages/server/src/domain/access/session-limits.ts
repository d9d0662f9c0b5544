// How long a session lasts: without being used, and at most.
const HOUR_MS = 60 * 60 * 1_000

export const SESSION_IDLE_MS = 12 * HOUR_MS
export const SESSION_LONGEST_MS = 7 * 24 * HOUR_MS

/** That a session was used is written this often and no more: every page makes several requests. */
export const SEEN_EVERY_MS = 60_000
