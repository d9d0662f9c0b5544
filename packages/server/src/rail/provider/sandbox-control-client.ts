// HTTP to the control plane of our own sandbox bank.
import { Pool } from 'undici'

import { formatUsdcSent } from '../../core/money.ts'
import { RailUnavailable, type SandboxControls } from '../port.ts'

export interface ControlOptions {
  /** The bank's address, without a path. */
  readonly url: string
  readonly key: string
}

const TIMEOUT_MS = 5_000
const SOURCES = { bank: 'bank', chain: 'onchain' } as const

export function createSandboxControls(options: ControlOptions): SandboxControls {
  const pool = new Pool(new URL(options.url).origin, { connections: 4, connect: { timeout: TIMEOUT_MS } })

  async function post(path: string, body: object): Promise<number> {
    try {
      const reply = await pool.request({
        method: 'POST',
        path: `/_control${path}`,
        headers: { authorization: `Bearer ${options.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      await reply.body.dump()
      return reply.statusCode
    } catch (error) {
      throw new RailUnavailable('The sandbox bank did not answer.', { cause: error })
    }
  }

  return {
    async steer(transferRef, move, reasonCode) {
      const body = reasonCode === undefined ? {} : { reason_code: reasonCode }
      const status = await post(`/transfers/${encodeURIComponent(transferRef)}/${move}`, body)
      if (status === 200 || status === 409) return status === 200
      throw new RailUnavailable(`The sandbox bank answered ${status}.`)
    },
    async deposit(walletRef, { amount, source }) {
      const body = { source: SOURCES[source], amount: formatUsdcSent(amount) }
      const status = await post(`/wallets/${encodeURIComponent(walletRef)}/credit`, body)
      if (status !== 200) throw new RailUnavailable(`The sandbox bank answered ${status}.`)
    },
  }
}
