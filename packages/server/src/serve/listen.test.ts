import dns from 'node:dns'
import { once } from 'node:events'
import { type AddressInfo, type Server, createServer } from 'node:net'

import Fastify from 'fastify'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { listen, openOnFreePort } from './listen.ts'

const HOST = '127.0.0.1'
const open = new Set<Server>()
afterEach(() => {
  vi.restoreAllMocks()
  for (const server of open) server.close()
  open.clear()
})

async function listenOn(port: number): Promise<number> {
  const server = createServer()
  await once(server.listen({ host: HOST, port }), 'listening')
  open.add(server)
  return (server.address() as AddressInfo).port
}

const options = (port: number, isFixed = false) => ({ host: HOST, port, name: 'BANK_PORT', isFixed })

describe('a port that is only where to begin', () => {
  it('is used when it is free, and nothing is said of it', async () => {
    const port = await listenOn(0)
    for (const server of open) server.close()
    expect(await openOnFreePort({ ...options(port), open: listenOn })).toEqual({ opened: port, notes: [] })
  })

  it('that is taken makes room for the next, and that is said', async () => {
    const port = await listenOn(0)
    const { opened, notes } = await openOnFreePort({ ...options(port), open: listenOn })
    expect(opened).toBeGreaterThan(port)
    expect(notes).toEqual([`port ${port} is taken; using ${opened}`])
  })

  it('that somebody takes between the look and the opening does so too', async () => {
    const port = await listenOn(0)
    for (const server of open) server.close()
    let isFirst = true
    const robbed = async (wanted: number) => {
      if (isFirst) await listenOn(wanted)
      isFirst = false
      return listenOn(wanted)
    }
    const { opened, notes } = await openOnFreePort({ ...options(port), open: robbed })
    expect(opened).toBeGreaterThan(port)
    expect(notes).toEqual([`port ${port} is taken; using ${opened}`])
  })

  it('is not left for any other reason', async () => {
    const broken = () => Promise.reject(new Error('The books are locked.'))
    await expect(openOnFreePort({ ...options(0), open: broken })).rejects.toThrow('The books are locked.')
  })
})

describe('a port that was asked for by number', () => {
  it('is never exchanged for another one', async () => {
    const port = await listenOn(0)
    await expect(openOnFreePort({ ...options(port, true), open: listenOn })).rejects.toThrow(
      `Port ${port} on ${HOST} is taken. Set BANK_PORT to a free one, or leave it out: then the next free one is used.`,
    )
  })
})

describe('localhost', () => {
  it('is one address, which our own server has', async () => {
    const app = Fastify()
    const lookups = vi.spyOn(dns, 'lookup')
    const { url, close } = await listen({ host: 'localhost', port: 0, publicUrl: null, build: async () => app })
    const [address, ...others] = app.addresses() as AddressInfo[]
    expect([address?.address, others]).toEqual([HOST, []])
    expect(url).toBe(`http://localhost:${address?.port}`)
    // Fastify looks for more of them only behind a name.
    expect(lookups.mock.calls.map(([name]) => name)).not.toContain('localhost')
    await close()
  })
})
