// A recipient as the bank takes it: 35 characters, few letters, one name.
import { describe, expect, it } from 'vitest'

import type { RecipientDetails } from '../transfer.ts'
import { externalAccount } from './recipient-words.ts'

type Overrides = Partial<Omit<RecipientDetails, 'address' | 'bank'>> & {
  address?: Partial<RecipientDetails['address']>
  bank?: Partial<RecipientDetails['bank']>
}

function words(overrides: Overrides = {}): Record<string, unknown> {
  const { address, bank, ...rest } = overrides
  return externalAccount({
    type: 'individual',
    first_name: 'Ada',
    last_name: 'Lovelace',
    address: { line1: '12 St James’s Square', city: 'London', postal_code: 'SW1Y 4JH', region: 'London', ...address },
    bank: { bank_name: 'Monzo', sort_code: '040004', account_number: '12345670', ...bank },
    ...rest,
  })
}

const addressOf = (overrides: Overrides['address'] = {}) =>
  words({ address: overrides })['address'] as Record<string, string>

describe('a recipient in the bank’s words', () => {
  it('is never much longer than it was, whatever its letters become', () => {
    const long = `${' '.repeat(5_000)}Leeds${'\uFDFA'.repeat(9_000)}`
    const said = words({ address: { line1: long, line2: long, city: long, region: long } })
    expect(JSON.stringify(said).length).toBeLessThan(10_000)
    expect(said['address']).toMatchObject({ street_line_1: expect.stringMatching(/^Leeds/) })
  })

  it('is whole', () => {
    expect(words({ email: 'ada@example.test', address: { line2: 'Flat 3' } })).toEqual({
      currency: 'gbp',
      account_type: 'gb',
      bank_name: 'Monzo',
      account_owner_name: 'Ada Lovelace',
      account_owner_type: 'individual',
      first_name: 'Ada',
      last_name: 'Lovelace',
      account: { sort_code: '040004', account_number: '12345670' },
      address: {
        street_line_1: '12 St James’s Square',
        street_line_2: 'Flat 3',
        city: 'London',
        postal_code: 'SW1Y 4JH',
        country: 'GBR',
      },
    })
  })

  it('does not hand on what the bank has no use for', () => {
    expect(JSON.stringify(words({ email: 'ada@example.test' }))).not.toContain('ada@example.test')
  })

  it('is a business with one name in place of two', () => {
    const business = words({ type: 'business', first_name: 'Thistle', last_name: 'Market Ltd' })
    expect(business).toMatchObject({
      account_owner_type: 'business',
      account_owner_name: 'Thistle Market Ltd',
      business_name: 'Thistle Market Ltd',
    })
    expect(business).not.toHaveProperty('first_name')
    expect(business).not.toHaveProperty('last_name')
  })

  it('has the same words for the same details, to the letter', () => {
    expect(JSON.stringify(words())).toBe(JSON.stringify(words()))
  })
})

describe('the owner’s name', () => {
  const nameOf = (first_name: string, last_name: string) => words({ first_name, last_name })['account_owner_name']

  it('loses its accents and keeps its letters', () => {
    expect(nameOf('Zoë', 'Brontë-Núñez')).toBe('Zoe Bronte-Nunez')
    expect(nameOf('Zoe\u0308', 'Bronte\u0308')).toBe('Zoe Bronte')
  })

  it('has single spaces and none around it', () => {
    expect(nameOf('  Ada \t', '\n Lovelace  King ')).toBe('Ada Lovelace King')
  })

  it('is cut at 35 characters, as Faster Payments carries it', () => {
    const name = nameOf('Wolfeschlegelstein', 'Hausenbergerdorff-Featherstonehaugh')
    expect(name).toBe('Wolfeschlegelstein Hausenbergerdorf')
    expect(name).toHaveLength(35)
    expect(nameOf('A'.repeat(17), 'B'.repeat(17))).toBe(`${'A'.repeat(17)} ${'B'.repeat(17)}`)
  })

  it('does not end in the space where it was cut', () => {
    expect(nameOf('A'.repeat(34), 'Lovelace')).toBe('A'.repeat(34))
  })
})

describe('the address', () => {
  it('is cut at 35 characters per line', () => {
    const address = addressOf({ line1: '1'.repeat(36), line2: '2'.repeat(80) })
    expect(address).toMatchObject({ street_line_1: '1'.repeat(35), street_line_2: '2'.repeat(35) })
    expect(addressOf({ line1: '1'.repeat(35) })['street_line_1']).toBe('1'.repeat(35))
  })

  it('makes a first line of under four characters longer with the town', () => {
    expect(addressOf({ line1: '7', city: 'York' })['street_line_1']).toBe('7, York')
    expect(addressOf({ line1: 'No1', city: 'Ely' })['street_line_1']).toBe('No1, Ely')
    expect(addressOf({ line1: '1', city: 'B'.repeat(60) })['street_line_1']).toBe(`1, ${'B'.repeat(32)}`)
    expect(addressOf({ line1: '7 Rd', city: 'York' })['street_line_1']).toBe('7 Rd')
  })

  it('folds first and measures after', () => {
    // Four characters as written, three once the accent is a part of its letter.
    expect(addressOf({ line1: 'U\u0308 1', city: 'York' })['street_line_1']).toBe('U 1, York')
    expect(addressOf({ line1: '  7  ', city: 'York' })['street_line_1']).toBe('7, York')
  })

  it('leaves out a second line that is empty or missing', () => {
    expect(addressOf()).not.toHaveProperty('street_line_2')
    expect(addressOf({ line2: '' })).not.toHaveProperty('street_line_2')
    expect(addressOf({ line2: '   ' })).not.toHaveProperty('street_line_2')
  })

  it('has the country in three letters', () => {
    expect(addressOf()).toMatchObject({ country: 'GBR' })
  })

  it.each([
    {
      region: 'West Yorkshire',
      city: 'Leeds',
      sent: { city: 'Leeds, West Yorkshire' },
      why: 'a county goes with the town',
    },
    { region: '  Ynys  Môn ', city: 'Amlwch', sent: { city: 'Amlwch, Ynys Mon' }, why: 'folded as everything else' },
    { region: 'R'.repeat(80), city: 'York', sent: { city: `York, ${'R'.repeat(80)}` }, why: 'none of it is cut off' },
    { region: 'Scotland', city: 'Perth', sent: { city: 'Perth', state: 'SCT' }, why: 'a nation has a code' },
    { region: 'northern ireland', city: 'Derry', sent: { city: 'Derry', state: 'NIR' }, why: 'however it is written' },
    { region: 'KEN', city: 'Dover', sent: { city: 'Dover', state: 'KEN' }, why: 'a code is one already' },
    { region: 'leeds', city: 'Leeds', sent: { city: 'Leeds' }, why: 'the town says nothing new' },
    { region: ' ', city: 'Leeds', sent: { city: 'Leeds' }, why: 'there is nothing to say' },
  ])('has the region $region: $why', ({ region, city, sent }) => {
    const { city: town, state } = addressOf({ region, city })
    expect({ city: town, ...(state === undefined ? {} : { state }) }).toEqual(sent)
  })
})

describe('the bank', () => {
  it('has a name of at most 256 characters', () => {
    expect(words({ bank: { bank_name: 'B'.repeat(300) } })['bank_name']).toBe('B'.repeat(256))
  })

  it('has the account’s digits as they are, zeros in front included', () => {
    expect(words({ bank: { sort_code: '000001', account_number: '00000012' } })['account']).toEqual({
      sort_code: '000001',
      account_number: '00000012',
    })
  })
})
