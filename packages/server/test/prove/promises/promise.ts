// What the service promises, and the tests that prove it. A promise without a proof, or whose mutant survives, is none.

export interface ServicePromise {
  readonly id: string
  /** In one sentence, to somebody who pays for the service. */
  readonly says: string
  readonly proofs: readonly Proof[]
  /** What a run of another command has counted, on parts that no run of the tests has. */
  readonly besides?: readonly string[]
}

export interface Proof {
  /** From the root of the repository. */
  readonly file: string
  /** A part of the whole name (`describe > test`) of the tests that count; all of the file's, where there is none. */
  readonly tests?: string
  /** The variables that make it larger before a release. */
  readonly long?: Readonly<Record<string, string>>
}

const SERVER = 'packages/server'

/** Tests with a database, by their path under packages/server/test and without `.test.ts`. */
export const inTests = (name: string, more: Omit<Proof, 'file'> = {}): Proof => ({
  file: `${SERVER}/test/${name}.test.ts`,
  ...more,
})

/** Tests of pure rules, beside them under packages/server/src. */
export const inSources = (name: string, more: Omit<Proof, 'file'> = {}): Proof => ({
  file: `${SERVER}/src/${name}.test.ts`,
  ...more,
})
