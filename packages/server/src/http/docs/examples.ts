// The shape of an operation's examples.

export type NamedExamples = Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>

export interface OperationExamples {
  readonly request?: NamedExamples
  readonly answers: Readonly<Record<string, NamedExamples>>
}
