// What a command is: how it is called, what it says of itself, and where its work is. The work is loaded when it is called.
import type { Kestrel } from '@kestrel/sdk'

import type { Exit } from './failure.ts'
import type { Output } from './output.ts'
import type { Settings } from './settings.ts'
import type { Surroundings } from './surroundings.ts'

export interface Argument {
  readonly name: string
  readonly isOptional?: boolean
  /** The words that it can be. */
  readonly choices?: readonly string[]
}

export interface Option {
  readonly name: string
  /** What stands after it; without it, the option is a switch. */
  readonly value?: string
  readonly summary: string
  readonly choices?: readonly string[]
}

export interface Command {
  /** One word or two: `payouts list`. */
  readonly name: string
  readonly summary: string
  readonly args?: readonly Argument[]
  readonly options?: readonly Option[]
  /** Paragraphs of its help. */
  readonly about?: readonly string[]
  readonly examples?: readonly string[]
  load(): Promise<{ run: Run }>
}

export interface Given {
  readonly args: readonly string[]
  /** The text of an option, or undefined. */
  option(name: string): string | undefined
  has(name: string): boolean
}

export interface Context extends Given {
  readonly around: Surroundings
  readonly out: Output
  /** Key and address, checked for what can be checked without asking. */
  settings(): Settings
  client(): Promise<Kestrel>
}

export type Run = (context: Context) => Promise<Exit | void>
