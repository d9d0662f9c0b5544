// Admins hear by mail, through a real mail server, when a live webhook endpoint is made, moved or given another secret.
import { afterAll, beforeAll, expect, it } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import { aPartner, inLive } from '../support/fixtures.ts'
import { type TestMailServer, startMailServer } from '../support/mail-server.ts'
import { type TestMember, ask, signedIn } from '../support/sessions.ts'

let server: TestMailServer
let test: TestApp
beforeAll(async () => {
  server = await startMailServer()
  test = await startTestApp({ smtp: { url: server.url, from: 'Kestrel <payouts@kestrel.test>' } })
})
afterAll(async () => {
  await test.close()
  await server.close()
})

const AT = '/v1/webhook-endpoints'

async function told(act: () => Promise<unknown>): Promise<{ to: string; raw: string }[]> {
  server.received.length = 0
  await act()
  await test.deps.post.settled()
  return server.received.map(({ to, raw }) => ({ to: to.join(), raw }))
}

const does =
  (admin: TestMember, environment: string) =>
  async (method: 'POST' | 'PATCH', path: string, payload: object): Promise<{ id: string }> => {
    const reply = await ask(test, admin, { method, url: `${AT}${path}?environment=${environment}`, payload })
    expect(reply.statusCode).toBeLessThan(300)
    return reply.json()
  }

it('tells every admin, and no viewer, who did what to a live endpoint, without its path', async () => {
  const partner = await aPartner(test)
  await inLive(test, partner)
  const admin = await signedIn(test, partner)
  const second = await signedIn(test, partner, { email: 'second@thistle.test' })
  await signedIn(test, partner, { role: 'viewer' })
  const act = does(admin, 'live')
  let id = ''
  const mails = [
    await told(async () => ({ id } = await act('POST', '', { url: 'https://hooks.thistle.example/s3cret' }))),
    await told(() => act('PATCH', `/${id}`, { url: 'https://elsewhere.thistle.example/s3cret' })),
    await told(() => act('POST', `/${id}/rotate-secret`, { grace_seconds: 0 })),
  ]
  const admins = ['finance@thistle.test', admin.email, second.email].toSorted()
  for (const each of mails) expect(each.map(({ to }) => to).toSorted()).toEqual(admins)
  const [made, moved, rotated] = mails.map(([first]) => first!)
  expect(made!.raw).toContain('A live webhook endpoint was made')
  expect(made!.raw).toContain('hooks . thistle . example')
  expect(made!.raw).toContain(admin.email)
  expect(moved!.raw).toContain('A live webhook endpoint was moved')
  expect(moved!.raw).toContain('elsewhere . thistle . example')
  expect(moved!.raw).toContain('hooks . thistle . example')
  expect(rotated!.raw).toContain('The secret of a live webhook endpoint was rotated')
  expect(JSON.stringify(mails)).not.toContain('s3cret')
})

it('is silent about sandbox, about what changes nothing of the kind, and about what was refused', async () => {
  const partner = await aPartner(test)
  await inLive(test, partner)
  const admin = await signedIn(test, partner)
  const [inSandbox, live] = [does(admin, 'sandbox'), does(admin, 'live')]
  const url = 'https://hooks.thistle.example/'
  let id = ''
  const sandbox = await told(async () => {
    ;({ id } = await inSandbox('POST', '', { url }))
    await inSandbox('PATCH', `/${id}`, { url: `${url}other` })
    await inSandbox('POST', `/${id}/rotate-secret`, {})
  })
  expect(sandbox).toEqual([])
  ;({ id } = await live('POST', '', { url }))
  await test.deps.post.settled()
  const quiet = await told(async () => {
    await live('PATCH', `/${id}`, { status: 'paused', description: 'The shop', url })
    const refused = {
      method: 'PATCH',
      url: `${AT}/${id}?environment=live`,
      payload: { url: 'https://10.0.0.1/' },
    } as const
    expect((await ask(test, admin, refused)).statusCode).toBe(422)
  })
  expect(quiet).toEqual([])
})
