import { expect, it } from 'vitest'

import { movementWords } from './movement-words.ts'

it('a movement of the wallet has words', () => {
  expect(movementWords('payout_released')).toBe('Not sent, money back')
})
