// What a command sees of the world: tests give it another one.

export interface Writer {
  readonly isTerminal: boolean
  write(text: string): void
}

/** Of one that answers whether it was read. */
export interface SureWriter extends Writer {
  /** Resolves when all that was written has been taken; fails if some of it was not. */
  written(): Promise<void>
}

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly stdout: SureWriter
  readonly stderr: Writer
  /** Whether a person can be asked. */
  readonly isInteractive: boolean
  /** One line that a person types; what is hidden does not appear. */
  ask(question: string, how: { readonly isHidden: boolean }): Promise<string>
  /** All that is piped in. */
  readInput(): Promise<string>
  readonly fetch: typeof fetch
  /** Ends with Ctrl-C. */
  readonly signal: AbortSignal
}
