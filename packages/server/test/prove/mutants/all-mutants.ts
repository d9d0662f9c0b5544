import { IN_STORIES } from './by-simulation.ts'
import { HEARING } from './hearing.ts'
import { KEEPING } from './keeping.ts'
import { LASTING } from './lasting.ts'
import type { Mutant } from './mutant.ts'
import { PAYING } from './paying.ts'

export const MUTANTS: readonly Mutant[] = [...PAYING, ...HEARING, ...KEEPING, ...LASTING, ...IN_STORIES]
