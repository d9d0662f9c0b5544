// One of doctor's findings.

export type Status = 'ok' | 'warning' | 'problem'

export interface Finding {
  readonly name: string
  readonly status: Status
  readonly detail: string
}

const MARKS: Readonly<Record<Status, string>> = { ok: '✔', warning: '!', problem: '✖' }

export const well = (name: string, detail: string): Finding => ({ name, status: 'ok', detail })
/** The service runs, but somebody should know. */
export const warning = (name: string, detail: string): Finding => ({ name, status: 'warning', detail })
/** Keeps the service from running, or from being right. */
export const problem = (name: string, detail: string): Finding => ({ name, status: 'problem', detail })

export function inOneLine({ name, status, detail }: Finding): string {
  return `${MARKS[status]} ${name.padEnd(16)} ${detail}`
}

export function reasonOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : String(error)
}
