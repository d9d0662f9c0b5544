import { join } from 'node:path'

/** How files begin that hold what the log of requests kept of the suite's requests and answers. */
export const BODIES = 'bodies-'

/** Where every test's service logs to; emptied when a run begins, read when it ends. */
export const LOG_DIR = join(import.meta.dirname, '../../../../artifacts/test-logs')
