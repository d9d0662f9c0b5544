/** A failure whose message is one line the user can act on; show it without a stack. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
}

/** Thrown by lockDataDir when a living Kestrel already uses the data directory. */
export class DataDirInUseError extends Error {
  override readonly name = 'DataDirInUseError'
  readonly pid: number
  /** True when the other one has announced that it is shutting down. */
  readonly isStopping: boolean

  constructor(dataDir: string, pid: number, isStopping: boolean) {
    super(`another Kestrel (pid ${pid}) is already using ${dataDir}`)
    this.pid = pid
    this.isStopping = isStopping
  }
}

/** The code of a Node system error such as ENOENT, or of a PostgreSQL error such as 3D000. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
