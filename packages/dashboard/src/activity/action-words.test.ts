import { describe, expect, it } from 'vitest'

import { actionWords } from './action-words.ts'

describe('the words of an action', () => {
  it('are found for what the server names', () => {
    expect(actionWords('payout.create')).toBe('Created a payout')
  })

  it('are readable for a name that came later', () => {
    expect(actionWords('webhook.send_test')).toBe('Webhook send test')
  })
})
