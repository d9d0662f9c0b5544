import { describe, expect, it } from 'vitest'

import { readAddresses } from './addresses.ts'

describe('addresses to invite', () => {
  it('may be separated in any way, and each counts once', () => {
    expect(readAddresses('a@b.co, c@d.co;a@b.co\n nobody')).toEqual({ good: ['a@b.co', 'c@d.co'], bad: ['nobody'] })
  })
})
