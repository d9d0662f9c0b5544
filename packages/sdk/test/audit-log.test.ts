// The verifier on a log as the service exports it: it needs nothing of the service, and finds every way to change it.
import { randomBytes } from 'node:crypto'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { signHeads } from '../../server/src/domain/audit/sign-heads.ts'
import { entryHash, linkHash } from '../../server/src/core/audit-chain.ts'
import { startTestApp } from '../../server/test/support/app.ts'
import { addEntries, aSealedLog, seal, tamper } from '../../server/test/audit/a-log.ts'
import { Kestrel } from '../src/index.ts'
import { type ExportedLog, verifyAuditLog } from '../src/verify.ts'
import { type SdkService, startSdkService } from './support/service.ts'

let service: SdkService
let log: ExportedLog
let keys: { id: string; public_key: string }[]
beforeAll(async () => {
  service = await startSdkService()
  const { test, partner } = service
  await addEntries(test, partner.id, 6)
  await seal(test)
  log = JSON.parse(JSON.stringify(await service.client().activity.exportChain()))
  const answer = await fetch(`${service.url}/.well-known/kestrel-signing-keys`)
  keys = ((await answer.json()) as { data: typeof keys }).data
})
afterAll(() => service.close())

const changed = (change: (copy: Loose) => unknown): ExportedLog => {
  const copy = structuredClone(log)
  change(copy)
  return copy
}
type Loose = { -readonly [Name in keyof ExportedLog]: ExportedLog[Name] } & { data: ExportedLog['data'] }

describe('verifyAuditLog', () => {
  it('finds nothing in a log as it was exported, whatever the order of its fields', async () => {
    expect(await verifyAuditLog(log, { keys })).toEqual({
      isWhole: true,
      partner_id: service.partner.id,
      chain: 'sandbox',
      entries: 6,
      forgotten: 0,
      position: 6,
      hash: log.head!.hash,
      signed_at: log.head!.signed_at,
    })
    const turned = changed((copy) =>
      copy.data.forEach((link) => {
        link.entry = Object.fromEntries(Object.entries(link.entry!).toReversed()) as typeof link.entry
      }),
    )
    expect(await verifyAuditLog(turned, { keys })).toMatchObject({ isWhole: true })
  })

  const DAMAGES: readonly [string, (copy: Loose) => unknown, object][] = [
    ['a word changed', (copy) => (copy.data[2]!.entry!.by = 'x'), { position: 3, problem: 'changed' }],
    ['a value before', (copy) => (copy.data[2]!.entry!.changes[0]!.before = ''), { position: 3, problem: 'changed' }],
    ['its moment', (copy) => (copy.data[2]!.entry!.at = copy.data[1]!.at), { position: 3, problem: 'changed' }],
    ['an entry removed', (copy) => (copy.data[2]!.entry = null), { position: 3, problem: 'removed' }],
    ['an entry removed with its link', (copy) => copy.data.splice(2, 1), { position: 3, problem: 'removed' }],
    ['an entry put in', (copy) => copy.data.splice(2, 0, copy.data[2]!), { position: 4, problem: 'removed' }],
    ['two exchanged', (copy) => copy.data.splice(2, 2, copy.data[3]!, copy.data[2]!), { position: 3 }],
    ['the end cut off', (copy) => copy.data.splice(4), { position: 5, problem: 'truncated' }],
    ['a hash', (copy) => (copy.data[2]!.hash = 'f'.repeat(64)), { position: 3, problem: 'link_changed' }],
    [
      'the start',
      (copy) => (copy.start = { position: 0, hash: 'f'.repeat(64) }),
      { position: 1, problem: 'link_changed' },
    ],
    [
      'its beginning left out',
      (copy) => {
        copy.start = { position: 3, hash: copy.data[2]!.hash }
        copy.data.splice(0, 3)
      },
      { position: 1, problem: 'removed' },
    ],
    [
      'all of it left out',
      (copy) => {
        copy.start = { position: 6, hash: copy.data[5]!.hash }
        copy.data.splice(0)
      },
      { position: 1, problem: 'removed' },
    ],
    ['no head', (copy) => (copy.head = null), { position: 6, problem: 'not_signed' }],
    [
      'the end cut off, and its head too',
      (copy) => {
        copy.data.splice(2)
        copy.head = null
      },
      { position: 2, problem: 'not_signed' },
    ],
    ['a field that is missing', (copy) => delete (copy as Partial<Loose>).head, { problem: 'unreadable' }],
    [
      'changes that are missing',
      (copy) => delete (copy.data[1]!.entry as { changes?: unknown }).changes,
      { problem: 'unreadable' },
    ],
    ['another business', (copy) => (copy.partner_id = crypto.randomUUID()), { problem: 'other_history' }],
    ['another chain', (copy) => (copy.chain = 'live'), { problem: 'other_history' }],
    ['a newer form', (copy) => ((copy.data[2] as { form: number }).form = 2), { position: 3, problem: 'unknown_form' }],
    ['a signature', (copy) => (copy.head!.signature = `${'A'.repeat(86)}==`), { problem: 'not_signed' }],
    ['no signature', (copy) => (copy.head!.signature = '%'), { problem: 'not_signed' }],
    ['a head’s position', (copy) => (copy.head!.position = 5), { problem: 'not_signed' }],
    ['a head’s day', (copy) => (copy.head!.signed_at = copy.data[0]!.at), { problem: 'not_signed' }],
  ]
  it.each(DAMAGES)('finds %s', async (_name, damage, found) => {
    const verdict = await verifyAuditLog(changed(damage), { keys })
    expect(verdict).toMatchObject({ isWhole: false, ...found })
  })

  it('finds each bit that is turned in a signed head', async () => {
    const bytes = Buffer.from(log.head!.signature, 'base64')
    for (let bit = 0; bit < bytes.length * 8; bit += 7) {
      const turned = Buffer.from(bytes)
      turned[bit >> 3]! ^= 1 << (bit & 7)
      const forged = { ...log, head: { ...log.head!, signature: turned.toString('base64') } }
      expect(await verifyAuditLog(forged, { keys })).toMatchObject({ isWhole: false, problem: 'not_signed' })
    }
  })

  it('lets entries of forgotten months be missing, and no others', async () => {
    const gone = changed((copy) => (copy.data[2]!.entry = null))
    const after = new Date(Date.parse(log.data[2]!.at) + 1)
    expect(await verifyAuditLog(gone, { keys, keptSince: after })).toMatchObject({ isWhole: true })
    expect(await verifyAuditLog(gone, { keys, keptSince: log.data[2]!.at })).toMatchObject({ problem: 'removed' })
  })

  it('finds a second history by a head that was kept, although everything in it fits', async () => {
    const forked = changed((copy) => {
      const chain = { partnerId: copy.partner_id, chain: copy.chain }
      copy.data[1]!.entry!.by = 'nobody'
      let previous = Buffer.from(copy.data[0]!.hash, 'hex')
      for (const link of copy.data.slice(1)) {
        const { entry } = link
        const values = { ...entry!, at: new Date(link.at), id: link.id, byName: entry!.by_name, keyId: entry!.key_id }
        const hashed = entryHash({ ...values, durationMs: entry!.duration_ms } as unknown as Parameters<
          typeof entryHash
        >[0])
        const { position, id } = link
        const of = { position, id, at: values.at, sealedAt: new Date(link.sealed_at), entryHash: hashed }
        previous = linkHash(chain, of, previous) as Buffer<ArrayBuffer>
        Object.assign(link, { entry_hash: hashed.toString('hex'), hash: previous.toString('hex') })
      }
      Object.assign(copy, { head: null })
    })
    expect(await verifyAuditLog(forked, { keys })).toMatchObject({ problem: 'not_signed' })
    expect(await verifyAuditLog(forked, { keys, heads: [log.head!] })).toMatchObject({
      isWhole: false,
      position: 6,
      problem: 'other_history',
    })
  })
})

describe('a log whose last links were removed', () => {
  it('can be exported, and the head says what is missing', async () => {
    const partner = await aSealedLog(service.test, 4)
    await tamper(service.test, 'delete from activity_links where partner_id = $1 and position > 2', [partner.id])
    const kestrel = new Kestrel({ apiKey: partner.key, baseUrl: service.url })
    const exported = await kestrel.activity.exportChain()
    expect(await verifyAuditLog(exported, { keys })).toMatchObject({ position: 3, problem: 'truncated' })
    await tamper(service.test, 'delete from activity_links where partner_id = $1', [partner.id])
    expect(await verifyAuditLog(await kestrel.activity.exportChain(), { keys })).toMatchObject({ problem: 'truncated' })
  })
})

describe('a key that was changed', () => {
  it('and thrown away: what it signed is verified by its public half, which is kept', async () => {
    const { test } = service
    await signHeads(test.deps)
    const old = test.deps.secrets
    const next = await startTestApp({
      secrets: { ...old, fingerprintKey: randomBytes(32), olderFingerprintKeys: [old.fingerprintKey] },
    })
    try {
      const partner = await aSealedLog(next, 2)
      const url = await next.app.listen({ host: '127.0.0.1', port: 0 })
      const kestrel = new Kestrel({ apiKey: partner.key, baseUrl: url })
      const listed = (await (await fetch(`${url}/.well-known/kestrel-signing-keys`)).json()) as { data: typeof keys }
      expect(listed.data.map(({ id }) => id)).toContain(keys[0]!.id)
      expect(listed.data[0]!.id).not.toBe(keys[0]!.id)
      expect(await verifyAuditLog(await kestrel.activity.exportChain(), { keys: listed.data })).toMatchObject({
        isWhole: true,
      })
      expect(await verifyAuditLog(await kestrel.activity.exportChain(), { keys })).toMatchObject({
        problem: 'not_signed',
      })
      expect(await verifyAuditLog(log, { keys: listed.data })).toMatchObject({ isWhole: true })
    } finally {
      await next.close()
    }
  })
})
