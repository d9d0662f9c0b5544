// Why a command ends without having done what it was asked, and what its exit code says of that.

export const EXIT = {
  done: 0,
  /** Refused, or it came to nothing: what was asked for did not happen. */
  refused: 1,
  usage: 2,
  /** It may have happened. */
  unknown: 3,
  notAuthorised: 4,
} as const

export type Exit = (typeof EXIT)[keyof typeof EXIT]

export interface About {
  readonly exit: Exit
  readonly code: string
  /** What to do next, each on a line of its own. */
  readonly hints?: readonly string[]
  /** What programs are told besides. */
  readonly more?: Readonly<Record<string, unknown>>
}

export class Failure extends Error {
  override readonly name = 'Failure'
  readonly exit: Exit
  readonly code: string
  readonly hints: readonly string[]
  readonly more: Readonly<Record<string, unknown>>

  constructor(message: string, { exit, code, hints = [], more = {} }: About) {
    super(message)
    this.exit = exit
    this.code = code
    this.hints = hints
    this.more = more
  }
}

/** The command itself is wrong. Nothing was asked. */
export function misuse(message: string, ...hints: string[]): Failure {
  return new Failure(message, { exit: EXIT.usage, code: 'usage', hints })
}
