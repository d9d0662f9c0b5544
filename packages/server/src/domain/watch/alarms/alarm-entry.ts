/** What docs/operations.md says about one alarm. */
export interface AlarmEntry {
  readonly happened: string
  /** Where the money is, and whether anybody could lose some. No alarm moves money. */
  readonly money: string
  readonly steps: readonly AlarmStep[]
}

export interface AlarmStep {
  /** What to do. Without a full stop where a command follows. */
  readonly say: string
  /** The command that does it. `…` stands for the options that every such command needs. */
  readonly run?: `kestrel ${string}`
}
