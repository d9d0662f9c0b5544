// HTTP to the control plane of our own sandbox bank.
import { Pool } from 'undici'

import { formatUsdcSent } from '../../core/money.ts'
import { RailUnavailable, type SandboxControls } from '../port.ts'
import { TAKEN_BACK } from './transfer-words.ts'

export interface ControlOptions {
  /** The bank's address; its path does not matter. Asked for at the first request, when it is not known before. */
  readonly url: string | (() => string)
  readonly key: string
}

const TIMEOUT_MS = 5_000
const SOURCES = { bank: 'bank', chain: 'onchain' } as const

export function createSandboxControls(options: ControlOptions): SandboxControls {
  let pool: Pool | null = null
  const open = (): Pool => {
    const url = typeof options.url === 'string' ? options.url : options.url()
    return new Pool(new URL(url).origin, { connections: 4, connect: { timeout: TIMEOUT_MS } })
  }

  async function ask(path: string, body: object): Promise<{ status: number; said: unknown }> {
    try {
      pool ??= open()
      const reply = await pool.request({
        method: 'POST',
        path: `/_control${path}`,
        headers: { authorization: `Bearer ${options.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      return { status: reply.statusCode, said: await reply.body.json() }
    } catch (error) {
      throw new RailUnavailable('The sandbox bank did not answer.', { cause: error })
    }
  }

  const post = async (path: string, body: object): Promise<number> => (await ask(path, body)).status

  return {
    async advance(walletRef, ms) {
      const { status, said } = await ask(`/wallets/${encodeURIComponent(walletRef)}/advance`, { ms })
      if (status !== 200) throw new RailUnavailable(`The sandbox bank answered ${status}.`)
      const { transfers, is_waiting } = said as { transfers: string[]; is_waiting: boolean }
      return { moved: transfers, isWaiting: is_waiting }
    },
    async steer(transferRef, move, reasonCode) {
      const body = {
        ...(reasonCode === undefined ? {} : { reason_code: reasonCode }),
        // Without it we would hear that a payment was stopped which had left, and give nothing back.
        ...(move === 'cancel' ? { reason: TAKEN_BACK } : {}),
      }
      const status = await post(`/transfers/${encodeURIComponent(transferRef)}/${move}`, body)
      if (status === 200 || status === 409) return status === 200
      throw new RailUnavailable(`The sandbox bank answered ${status}.`)
    },
    async withdraw(walletRef, { amount, cause }) {
      const body = { amount_micro: String(0n - amount), reason: 'The sandbox was reset', cause }
      const status = await post(`/wallets/${encodeURIComponent(walletRef)}/adjust`, body)
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
