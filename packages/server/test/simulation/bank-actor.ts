// A bank that keeps its word and no more than that: it accepts and refuses, forgets keys after a day, lists late, shows what
// was, answers 500 after it has acted, sends money back after it had arrived. Its books are what everything is judged by.
import type { ProviderReply, ProviderRequest } from '../../src/rail/provider/provider-client.ts'
import type { Dice } from '../support/dice.ts'

export interface Transfer {
  readonly id: string
  readonly reference: string
  readonly holder: string
  readonly recipient: string
  readonly micro: bigint
  readonly pounds: string
  readonly madeAt: number
  /** From when on it is in lists. */
  readonly listedFrom: number
  state: string
  isDrawn: boolean
  reason: string | null
  updatedAt: number
  /** As it was shown before, the newest last. */
  readonly before: object[]
}

const DAY_MS = 24 * 3_600_000
/** The longest that a row may take to be listed. */
const LATEST_MS = 59 * 60_000

/** How a transfer may go on. What is named twice is as likely again. */
const MOVES: Readonly<Record<string, readonly string[]>> = {
  awaiting_funds: ['funds_received', 'funds_received', 'canceled'],
  pending: ['in_review', 'funds_received', 'funds_received'],
  in_review: ['funds_received', 'undeliverable'],
  funds_received: ['payment_submitted', 'payment_submitted', 'undeliverable'],
  payment_submitted: ['payment_processed', 'payment_processed', 'undeliverable'],
  payment_processed: ['returned'],
  undeliverable: ['refund_in_flight', 'refunded'],
  returned: ['refund_in_flight', 'refunded'],
  refund_in_flight: ['refunded'],
}
const GOES_ON_BY_ITSELF = new Set(Object.keys(MOVES).filter((state) => state !== 'payment_processed'))

interface TransferBody {
  readonly client_reference_id: string
  readonly on_behalf_of: string
  readonly source: { readonly amount: string }
  readonly destination: { readonly amount: string; readonly external_account_id: string }
}

interface Kept {
  readonly body: string
  readonly reply: ProviderReply
  readonly at: number
}

const answered = (status: number, body: unknown): ProviderReply => ({ kind: 'answered', status, body })
const refusal = (code: string, message: string, fields: readonly string[]): ProviderReply =>
  answered(400, {
    code,
    message,
    source: { location: 'body', key: Object.fromEntries(fields.map((field) => [field, 'is wrong'])) },
  })

export class BankActor {
  readonly transfers: Transfer[] = []
  readonly #keys = new Map<string, Kept>()
  readonly #accounts = new Map<string, object>()
  balance: bigint
  /** Shows what is, and not also what was. */
  isUpToDate = false

  constructor(balance: bigint) {
    this.balance = balance
  }

  get open(): Transfer[] {
    return this.transfers.filter((each) => GOES_ON_BY_ITSELF.has(each.state))
  }

  /** Answers a request that has arrived. */
  hear({ method, path, body, idempotencyKey }: ProviderRequest, now: number, dice: Dice): ProviderReply {
    const [where = '', query = ''] = path.split('?')
    if (path.includes('/external_accounts')) return this.#account(path, body)
    if (method === 'POST') return this.#order(body as TransferBody, idempotencyKey!, { now, dice })
    if (where === '/transfers') return this.#list(Number(new URLSearchParams(query).get('updated_after_ms')), now, dice)
    const transfer = this.transfers.find(({ id }) => where === `/transfers/${id}`)
    if (transfer === undefined) return answered(404, { code: 'not_found', message: 'There is none.' })
    if (method === 'DELETE') return this.#cancel(transfer, now)
    return answered(200, this.#isShownOld(transfer, dice, 10) ? transfer.before.at(-1) : shown(transfer))
  }

  #account(path: string, body: object | undefined): ProviderReply {
    if (body === undefined) return answered(200, this.#accounts.get(path.split('/').at(-1)!) ?? { active: false })
    const found = [...this.#accounts.values()].find(
      (each) => JSON.stringify({ ...each, ...body }) === JSON.stringify(each),
    )
    if (found !== undefined) return answered(201, found)
    const id = `account-${this.#accounts.size}`
    const account = { ...body, id, active: true }
    this.#accounts.set(id, account)
    return answered(201, account)
  }

  #order(body: TransferBody, key: string, at: { now: number; dice: Dice }): ProviderReply {
    const { now, dice } = at
    const text = JSON.stringify(body)
    const kept = this.#keys.get(key)
    if (kept !== undefined && now - kept.at < DAY_MS) {
      if (kept.body === text) return kept.reply
      return answered(422, { code: 'invalid_parameters', message: 'The idempotency key has another body.' })
    }
    const fate = dice.draw(20)
    if (fate === 0) return { kind: 'answered', status: 429, body: {}, retryAfterMs: 1_000 * (1 + dice.draw(60)) }
    if (fate === 1) return answered(500, { code: 'internal', message: 'Nothing was done.' })
    const reply = this.#refuse(body, dice) ?? this.#make(body, at)
    this.#keys.set(key, { body: text, reply, at: now })
    // It has acted, or refused for good, and says neither.
    return fate === 2 ? answered(500, { code: 'internal', message: 'Nobody knows.' }) : reply
  }

  #refuse({ source }: TransferBody, dice: Dice): ProviderReply | null {
    if (microOf(source.amount) > this.balance) return refusal('invalid_parameters', 'Insufficient balance.', [])
    const fate = dice.draw(30)
    if (fate === 0) return refusal('invalid_parameters', 'Not this one.', ['destination.external_account_id'])
    if (fate === 1) return refusal('invalid_parameters', 'The rate has moved.', ['source.amount'])
    if (fate === 2) return answered(403, { code: 'aml_violation', message: 'Not to this one.' })
    return null
  }

  #make(body: TransferBody, { now, dice }: { now: number; dice: Dice }): ProviderReply {
    const state = dice.pick(['awaiting_funds', 'pending', 'pending', 'funds_received', 'undeliverable'])
    const transfer: Transfer = {
      id: `transfer-${this.transfers.length}`,
      reference: body.client_reference_id,
      holder: body.on_behalf_of,
      recipient: body.destination.external_account_id,
      micro: microOf(body.source.amount),
      pounds: body.destination.amount,
      madeAt: now,
      listedFrom: now + (dice.draw(4) === 0 ? dice.draw(LATEST_MS) : 0),
      state,
      isDrawn: false,
      reason: state === 'undeliverable' ? 'Sort code or account number unknown (1114)' : null,
      updatedAt: now,
      before: [],
    }
    this.transfers.push(transfer)
    if (state === 'pending' || state === 'funds_received') this.#draw(transfer)
    return answered(201, shown(transfer))
  }

  #draw(transfer: Transfer): void {
    transfer.isDrawn = true
    this.balance -= transfer.micro
  }

  #list(since: number, now: number, dice: Dice): ProviderReply {
    const rows = this.transfers.filter((each) => each.listedFrom <= now && each.updatedAt > since)
    // Some rows twice, as they are and as they were.
    const old = rows.flatMap((each) => (this.#isShownOld(each, dice, 8) ? [each.before.at(-1)!] : []))
    const data = [...rows.map(shown), ...old]
    return answered(200, { data: dice.draw(2) === 0 ? data : data.toReversed() })
  }

  #isShownOld({ before }: Transfer, dice: Dice, oneIn: number): boolean {
    return !this.isUpToDate && before.length > 0 && dice.draw(oneIn) === 0
  }

  #cancel(transfer: Transfer, now: number): ProviderReply {
    if (transfer.state === 'canceled') return answered(200, shown(transfer))
    if (transfer.state !== 'awaiting_funds') return answered(400, { code: 'too_late', message: 'It has gone too far.' })
    this.#to(transfer, 'canceled', now)
    return answered(200, shown(transfer))
  }

  /** The bank goes on with a transfer, in one of the ways that it can. Returns the word for it; null: it cannot. */
  move(transfer: Transfer, now: number, dice: Dice): string | null {
    const moves = MOVES[transfer.state] ?? []
    const state = moves.length === 0 ? null : dice.pick(moves)
    if (state !== null) this.#to(transfer, state, now)
    return state
  }

  #to(transfer: Transfer, wanted: string, now: number): void {
    // Without money in the wallet it goes on waiting.
    if (wanted === 'funds_received' && !transfer.isDrawn && transfer.micro > this.balance) return
    transfer.before.push(shown(transfer))
    if (wanted === 'funds_received' && !transfer.isDrawn) this.#draw(transfer)
    if (wanted === 'undeliverable') transfer.reason = 'Beneficiary account stopped (1161)'
    if (wanted === 'returned') transfer.reason = 'Beneficiary account closed (00000002)'
    if (wanted === 'refunded' && transfer.isDrawn) {
      transfer.isDrawn = false
      this.balance += transfer.micro
    }
    transfer.state = wanted
    // Each change is later than the one before, or nobody could tell which is the newer.
    transfer.updatedAt = Math.max(now, transfer.updatedAt + 1)
  }
}

/** The money stays gone. */
export function isPaid({ state }: Transfer): boolean {
  return state === 'payment_processed'
}

function microOf(usdc: string): bigint {
  const [whole = '0', part = ''] = usdc.split('.')
  return BigInt(whole + part.padEnd(6, '0'))
}

function shown(transfer: Transfer): object {
  const whole = transfer.micro.toString().padStart(7, '0')
  const amount = `${whole.slice(0, -6)}.${whole.slice(-6)}`
  return {
    id: transfer.id,
    state: transfer.state,
    client_reference_id: transfer.reference,
    on_behalf_of: transfer.holder,
    currency: 'usdc',
    amount,
    source: { currency: 'usdc', amount },
    destination: { currency: 'gbp', amount: transfer.pounds, external_account_id: transfer.recipient },
    ...(transfer.reason === null ? {} : { return_details: { reason: transfer.reason } }),
    created_at: new Date(transfer.madeAt).toISOString(),
    updated_at: new Date(transfer.updatedAt).toISOString(),
  }
}
