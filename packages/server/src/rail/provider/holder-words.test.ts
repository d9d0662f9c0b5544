import { describe, expect, it } from 'vitest'

import { holderStanding } from './holder-words.ts'

const base = { name: 'base', status: 'approved' }
const pounds = (said: object) => ({ status: 'active', endorsements: [base, { name: 'faster_payments', ...said }] })
const POUNDS = 'Pounds by Faster Payments'

describe('what the bank says of a customer', () => {
  it('is enough when the account and pounds are approved', () => {
    expect(holderStanding(pounds({ status: 'approved' }))).toMatchObject({
      isApproved: true,
      hasPounds: true,
      missing: [],
    })
  })

  it.each([
    { what: 'pounds were never asked for', customer: { status: 'active', endorsements: [base] } },
    { what: 'a status is new', customer: pounds({ status: 'granted' }) },
    { what: 'a status is no word', customer: pounds({ status: true }) },
    { what: 'there are no requirements', customer: pounds({ status: 'incomplete' }) },
    { what: 'they are null', customer: pounds({ status: 'incomplete', requirements: null }) },
    { what: 'they are empty', customer: pounds({ status: 'incomplete', requirements: { missing: null, issues: [] } }) },
  ])('is never taken for pounds where $what, and it is the business’s turn', ({ customer }) => {
    expect(holderStanding(customer)).toMatchObject({
      isApproved: true,
      hasPounds: false,
      turn: 'business',
      missing: [`${POUNDS}: not approved by the bank yet.`],
    })
  })

  it.each([
    {
      requirements: { missing: { all_of: ['tax_id', { any_of: ['passport'] }] } },
      says: 'still needs tax id, passport',
    },
    { requirements: { missing: { owners: { all_of: ['id_photo'] } } }, says: 'still needs owners (id photo)' },
    {
      requirements: { issues: [{ id_front_photo: 'id_expired' }] },
      says: 'has a difficulty with id front photo (id expired)',
    },
    { requirements: { pending: ['tax_id'], missing: {} }, says: 'is checking' },
  ])('is said in plain words: $says', ({ requirements, says }) => {
    const { missing } = holderStanding(pounds({ status: 'incomplete', requirements }))
    expect(missing).toEqual([`${POUNDS}: the bank ${says}.`])
  })

  it('shows nothing but plain words, and not without end', () => {
    const hostile = [
      '<script>',
      'a'.repeat(1_000),
      'mail me at a@b',
      7,
      null,
      ...Array.from({ length: 99 }, (_, n) => `x${n}`),
    ]
    let deep: unknown = 'bottom'
    for (let depth = 0; depth < 50_000; depth++) deep = [deep]
    const { missing } = holderStanding(
      pounds({ status: 'incomplete', requirements: { missing: hostile, issues: deep } }),
    )
    expect(missing[0]).toMatch(/^[\w :.,]{20,100}$/)
  })

  it.each(['paused', 'offboarded', 'rejected'])('ends everything when the customer is %s', (status) => {
    expect(holderStanding({ ...pounds({ status: 'approved' }), status })).toMatchObject({
      isApproved: false,
      hasPounds: false,
      turn: 'nobody',
    })
  })
})
