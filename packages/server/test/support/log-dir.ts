import { join } from 'node:path'

/** Where every test's service logs to; emptied when a run begins, read when it ends. */
export const LOG_DIR = join(import.meta.dirname, '../../../../artifacts/test-logs')
