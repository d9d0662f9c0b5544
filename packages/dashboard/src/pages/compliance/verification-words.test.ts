import { describe, expect, it } from 'vitest'

import { verificationWords } from './verification-words.ts'

describe('the words of a verification', () => {
  it('are found for what the server names', () => {
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
    expect(verificationWords('on_hold').word).toBe('On hold')
  })
})
