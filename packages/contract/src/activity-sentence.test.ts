import { describe, expect, it } from 'vitest'

import { type Change, type Told, activitySentence } from './activity-sentence.ts'

const told = (entry: Partial<Told>) =>
  activitySentence({
    action: 'key.change',
    status: 200,
    by: 'ada@thistle.test',
    by_name: 'Ada Lovelace',
    key_id: null,
    detail: null,
    subject: '“Production”',
    changes: [],
    ...entry,
  })
const daily = (before: string | null, after: string | null): Change => ({ field: 'daily_gbp', before, after })

describe('an entry in words', () => {
  it.each<[string, Partial<Told>]>([
    [
      'Ada Lovelace changed the daily limit of the API key “Production” from £100.00 to £500.00',
      { changes: [daily('100.00', '500.00')] },
    ],
    ['Ada Lovelace set the daily limit of the API key “Production” to £500.00', { changes: [daily(null, '500.00')] }],
    [
      'Ada Lovelace removed the daily limit of the API key “Production”, which was £100.00',
      { changes: [daily('100.00', null)] },
    ],
    [
      'Ada Lovelace changed the API key “Production”: scopes from read, pay to read; daily limit set to £500.00',
      { changes: [{ field: 'scopes', before: 'read, pay', after: 'read' }, daily(null, '500.00')] },
    ],
    [
      'ada@thistle.test changed the low balance from 10.00 USDC to 20.00 USDC',
      {
        action: 'settings.change',
        by_name: null,
        subject: null,
        changes: [{ field: 'low_balance_usdc', before: '10.00', after: '20.00' }],
      },
    ],
    [
      'Ada Lovelace tried to change an API key, which was refused (code_not_accepted)',
      { subject: null, status: 422, detail: 'code_not_accepted' },
    ],
    ['Ada Lovelace tried to create a payout, which failed', { action: 'payout.create', subject: null, status: 502 }],
    [
      'The API key kp_live_9f2c41 created a payout of £25.00',
      { action: 'payout.create', by: 'kp_live_9f2c41', by_name: null, key_id: 'x', subject: '£25.00', status: 201 },
    ],
    [
      'The operator put money into the wallet: 5.00 USDC, a present',
      {
        action: 'wallet.credit',
        by: 'operator',
        by_name: null,
        status: null,
        subject: null,
        detail: '5.00 USDC, a present',
      },
    ],
    [
      'The operator suspended the account: status from active to suspended',
      {
        action: 'partner.suspend',
        by: 'operator',
        by_name: null,
        status: null,
        subject: null,
        changes: [{ field: 'status', before: 'active', after: 'suspended' }],
      },
    ],
  ])('%s', (sentence, entry) => {
    expect(told(entry)).toBe(sentence)
  })
})
