import { describe, expect, it } from 'vitest'

import { auditLogFilter, isNarrowed } from './audit-log-filter.ts'

describe('the filters of the audit log', () => {
  it('are whole days of London, both included', () => {
    expect(auditLogFilter({ by: ' ana@thistle.test ', from: '2026-10-25', to: '2026-10-25' })).toEqual({
      by: 'ana@thistle.test',
      only: 'changes',
      from: '2026-10-24T23:00:00.000Z',
      to: '2026-10-26T00:00:00.000Z',
    })
  })

  it('leave out what cannot be meant', () => {
    expect(auditLogFilter({ what: 'all', from: 'May', by: ' ' })).toEqual({})
    expect(isNarrowed({ what: 'all', from: 'May' })).toBe(false)
    expect(isNarrowed({ to: '2026-10-25' })).toBe(true)
  })
})
