import { ACCESS } from './access.ts'
import { BOOKS } from './books.ts'
import { GOING_ON } from './going-on.ts'
import { LASTING } from './lasting.ts'
import { PAYING } from './paying.ts'
import type { ServicePromise } from './promise.ts'

export const PROMISES: readonly ServicePromise[] = [...PAYING, ...BOOKS, ...ACCESS, ...GOING_ON, ...LASTING]
