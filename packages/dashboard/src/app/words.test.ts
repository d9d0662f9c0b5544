import { describe, expect, it } from 'vitest'

import { actionWords, movementWords, verificationWords } from './words.ts'

describe('words', () => {
  it('are found for what the server names', () => {
    expect(actionWords('payout.create')).toBe('Created a payout')
    expect(movementWords('payout_released')).toBe('Not sent, given back')
    expect(verificationWords('in_review').word).toBe('In review')
  })

  it('say when only we can help, so that the page says where to turn to', () => {
    expect(['rejected', 'suspended', 'in_review'].map((status) => verificationWords(status).isStuck)).toEqual([
      true,
      true,
      undefined,
    ])
  })

  it('are readable for a name that came later', () => {
    expect(actionWords('webhook.send_test')).toBe('Webhook send test')
    expect(verificationWords('on_hold').word).toBe('On hold')
  })
})
