// However many requests guess or enter a code at once, in however many processes: five tries, one session.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { AppError } from '../../src/core/errors.ts'
import { sha256 } from '../../src/core/ids.ts'
import { redeemCode } from '../../src/domain/access/redeem-code.ts'
import { PUBLIC_URL, TEST_BROWSER, type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, sql } from '../support/fixtures.ts'
import { aSignInCode, codeIn, latestMail, signedIn } from '../support/sessions.ts'
import { type Instance, anotherInstance } from './instances.ts'

let test: TestApp
let second: Instance
let partner: TestPartner
let email: string
let made = 0
beforeAll(async () => {
  test = await startTestApp()
  second = await anotherInstance(test)
  partner = await aPartner(test)
})
afterAll(async () => {
  await second.close()
  await test.close()
})
beforeEach(async () => {
  await sql(test, 'delete from allowances')
  email = `racer-${made++}@thistle.test`
  await signedIn(test, partner, { email })
  await sql(test, 'delete from sessions')
})

function enterAtOnce(codes: readonly string[]) {
  const from = { ip: '127.0.0.1', userAgent: null, browserHash: sha256(TEST_BROWSER) }
  const more = { partner: null, accept: null, decline: null, from, previousToken: null, publicUrl: PUBLIC_URL }
  return Promise.allSettled(
    codes.map((code, index) => redeemCode(index % 2 === 0 ? test.deps : second.deps, { email, code, ...more })),
  )
}

const attempts = async () =>
  (await sql<{ attempts: number }>(test, 'select attempts from sign_in_codes where email = $1', [email]))[0]!.attempts

const triesLeft = (outcome: PromiseSettledResult<unknown>) =>
  outcome.status === 'rejected' && outcome.reason instanceof AppError
    ? (outcome.reason.details as { tries_left: number; reason: string })
    : null

const sessions = async () => (await sql(test, 'select 1 from sessions where email = $1', [email])).length

describe('a code', () => {
  it('is judged five times at most when fifty wrong ones come at once', async () => {
    const code = await aSignInCode(test, email)
    const wrong = Array.from({ length: 50 }, (_, index) =>
      String((Number(code) + 1 + index) % 1_000_000).padStart(6, '0'),
    )
    const outcomes = await enterAtOnce(wrong)
    const answers = outcomes.map(triesLeft)
    expect(answers.every((answer) => answer !== null)).toBe(true)
    expect(answers.filter((answer) => answer?.reason === 'wrong')).toHaveLength(4)
    expect(await attempts()).toBe(5)
    expect((await enterAtOnce([code]))[0]!.status).toBe('rejected')
    expect(await sessions()).toBe(0)
  })

  it('opens one session when it comes twenty times at once', async () => {
    const code = await aSignInCode(test, email)
    const outcomes = await enterAtOnce(Array.from({ length: 20 }, () => code))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await sessions()).toBe(1)
  })

  it('is mailed once when ten ask for one at once', async () => {
    const ask = () => test.request({ method: 'POST', url: '/v1/auth/code', payload: { email } })
    const replies = await Promise.all(Array.from({ length: 10 }, ask))
    expect(replies.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      202,
      ...Array.from({ length: 9 }, () => 429),
    ])
  })

  it('of a sign-up opens one business when it comes ten times at once', async () => {
    const business_name = `Racing ${made}`
    await test.request({ method: 'POST', url: '/v1/auth/sign-up', payload: { email, business_name } })
    const code = codeIn(await latestMail(test, email))
    await enterAtOnce(Array.from({ length: 10 }, () => code))
    expect(await sql(test, 'select slug from partners where name = $1', [business_name])).toHaveLength(1)
  })

  it('of ten sign-ups under one name gives ten businesses with ten short names', async () => {
    const emails = Array.from({ length: 10 }, (_, index) => `founder-${made}-${index}@thistle.test`)
    const codes: string[] = []
    for (const address of emails) {
      const payload = { email: address, business_name: 'Same Name' }
      await test.request({ method: 'POST', url: '/v1/auth/sign-up', payload })
      codes.push(codeIn(await latestMail(test, address)))
    }
    const replies = await Promise.all(
      emails.map((address, index) =>
        test.request({ method: 'POST', url: '/v1/auth/session', payload: { email: address, code: codes[index] } }),
      ),
    )
    expect(replies.map(({ statusCode }) => statusCode)).toEqual(emails.map(() => 201))
    const slugs = replies.map((reply) => reply.json().partner.slug as string)
    expect(new Set(slugs).size).toBe(10)
    expect(slugs.toSorted()[0]).toBe('same-name')
  })
})
