// A mutant is the program with one deliberate mistake, built in for one test. The sources themselves have no switch.

export interface Mutant {
  readonly name: string
  /** The promise that it breaks. */
  readonly promise: string
  /** The mistake, in one sentence. */
  readonly mistake: string
  readonly change: TextChange | SchemaChange
  readonly caughtBy: {
    /** From the root of the repository. */
    readonly file: string
    /** A part of the test's whole name (`describe > test`); whatever else is in the file is skipped. */
    readonly test: string
    /** A part of the message by which it fails, where that is no assertion. */
    readonly error?: string
    /** How long it may take before it counts as hanging; where that is how it fails. */
    readonly withinMs?: number
    /** What the test reads from its environment: a seed with which it is known to fail soon. */
    readonly env?: Readonly<Record<string, string>>
  }
}

/** What stands once in a file becomes something else. */
export interface TextChange {
  /** From packages/server/src. */
  readonly file: string
  readonly from: string
  readonly to: string
}

/** What is taken from each database that a test makes. */
export interface SchemaChange {
  readonly schema: string
}
