import { describe, expect, it } from 'vitest'

import { safeNext } from './safe-next.ts'

describe('where a sign-in leads', () => {
  it.each(['/payouts?status=failed', '/', '/payouts/1'])('%s is on this page', (next) =>
    expect(safeNext(next)).toBe(next),
  )

  it.each([undefined, '', 'payouts', '//evil.example', '/\\evil.example', 'https://evil.example', '/sign-in'])(
    '%s is not',
    (next) => expect(safeNext(next)).toBeNull(),
  )
})
