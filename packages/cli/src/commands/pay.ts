// Pays one recipient. Before anything is sent it is certain under which key, and that somebody means it.
import { ApiError, type CreatePayoutRequest, Kestrel, type Payout } from '@kestrel/sdk'

import { amountOf, countOf } from '../amount.ts'
import type { Context } from '../command.ts'
import { type Exit, misuse } from '../failure.ts'
import { afterPaying, whilePaying } from '../failure-of.ts'
import { exitOf, showPayout, statusLine } from '../payout-words.ts'
import { recipientFor } from '../recipient.ts'
import type { Settings } from '../settings.ts'
import { type PaymentKey, keyForPayment } from '../unfinished.ts'
import { watch } from '../watch.ts'

export async function run(context: Context): Promise<Exit> {
  const { out, around } = context
  const settings = context.settings()
  const amount = amountOf(context.args[0]!)
  const most = context.option('max-usdc')
  const limit = most === undefined ? {} : { maxWalletDebitUsdc: amountOf(most, '--max-usdc') }
  const timeoutMs = countOf(context.option('timeout'), { name: 'timeout', usual: 120, most: 86_400 }) * 1_000
  const own = context.option('idempotency-key')
  if (own === undefined ? !around.isInteractive : !A_KEY.test(own)) throw keyMissing()
  const body: CreatePayoutRequest = {
    amount_gbp: amount,
    ...(context.has('reference') ? { reference: context.option('reference')! } : {}),
    recipient: await recipientFor(context, settings.environment),
  }
  const { kestrel, answers } = listeningClient(settings, context)
  if (settings.environment === 'live') await confirmLive(context, kestrel, body)
  const payment = keyForPayment(context, settings, body)
  const { key: idempotencyKey } = payment
  if (payment.isMade) out.note(keyNote(payment))
  const isNew = payment.isMade && !payment.isRepeat
  const payout = await kestrel.payouts
    .create(body, { idempotencyKey, signal: around.signal, ...limit })
    .then(checkAnswer)
    .catch((error: unknown) => {
      // Nobody has paid with a key that was made a moment ago for an API key that does not exist.
      if (isNew && error instanceof ApiError && error.status === 401) payment.forget()
      throw whilePaying(error, { key: idempotencyKey, isNew })
    })
  if (answers.isReplay) out.note('Nothing new was sent: this key had made this payout before.')
  try {
    await show(context, payout)
    // Only now that somebody can have seen it. After a refusal too the key is kept: with the same payment it can only pay once.
    payment.forget()
    return context.has('watch') ? await follow(context, kestrel, payout, timeoutMs) : exitOf(payout)
  } catch (error) {
    throw afterPaying(error, { payoutId: payout.id, idempotencyKey })
  }
}

/** Something between us and the service may have answered in its place. */
function checkAnswer(payout: Payout | null): Payout {
  if (typeof payout?.id === 'string' && typeof payout.status === 'string') return payout
  throw new TypeError('no payout')
}

async function show(context: Context, payout: Payout): Promise<void> {
  const { out } = context
  if (context.has('watch')) {
    out.note(`Payout ${payout.id}`)
    out.line(payout, statusLine(payout))
  } else showPayout(out, payout)
  await out.shown()
}

function keyNote({ key, isRepeat }: PaymentKey): string {
  return isRepeat
    ? `This payment was begun before, and its end is not known: it is repeated with its key, ${key}.`
    : `Idempotency key: ${key} (kept until the answer is here; the same command again uses it again)`
}

async function follow(context: Context, kestrel: Kestrel, payout: Payout, timeoutMs: number): Promise<Exit> {
  const { out, around } = context
  const onChange = (now: Payout) => {
    out.line(now, statusLine(now))
    return out.shown()
  }
  const ended = await watch(kestrel, payout.id, { timeoutMs, signal: around.signal, told: payout.status, onChange })
  if (!out.isJson) showPayout(out, ended)
  return exitOf(ended)
}

const A_KEY = /^[A-Za-z0-9_\-:.]{8,100}$/

function keyMissing() {
  return misuse(
    'A payout needs --idempotency-key: your own name for it, such as order-1042. The same key never pays twice.',
    'It is 8 to 100 letters, digits, or _ - : . and made from what you have: not from the clock, not by chance.',
  )
}

/** The SDK answers with the payout alone; whether it is new stands in a header. */
function listeningClient({ key, url }: Settings, { around }: Context) {
  const answers = { isReplay: false }
  const kestrel = new Kestrel({
    apiKey: key,
    baseUrl: url,
    fetch: async (...call) => {
      const answer = await around.fetch(...call)
      answers.isReplay = answer.headers.get('idempotent-replayed') === 'true'
      return answer
    },
  })
  return { kestrel, answers }
}

/** Real money leaves only after its amount was said twice. */
async function confirmLive(context: Context, kestrel: Kestrel, body: CreatePayoutRequest): Promise<void> {
  const { around, out } = context
  const given = context.option('confirm-amount')
  if (given === undefined && !around.isInteractive) {
    throw misuse(`Real money needs its amount again: --live --confirm-amount ${body.amount_gbp}.`)
  }
  if (given === undefined) await tellCost(kestrel, context, body)
  const typed = given ?? (await around.ask('This is real money. Type the amount to pay it: ', { isHidden: false }))
  if (typed !== context.args[0] && typed !== body.amount_gbp) {
    throw misuse(`"${typed}" is not ${body.amount_gbp}. Nothing was sent.`)
  }
  out.note('Confirmed.')
}

async function tellCost(kestrel: Kestrel, { out, around }: Context, body: CreatePayoutRequest): Promise<void> {
  const { recipient, amount_gbp: amount } = body
  // The file may hold anything: the service has not looked at it yet.
  const given: unknown = recipient.bank?.account_number
  const account = typeof given === 'string' ? given : ''
  const named = `${recipient.first_name} ${recipient.last_name}${account.length > 4 ? ` …${account.slice(-4)}` : ''}`
  out.note(`${amount} GBP to ${named}.`)
  try {
    const quote = await kestrel.quotes.create(
      { amount_gbp: amount, recipient },
      { signal: around.signal, maxRetries: 0 },
    )
    out.note(`The wallet sends ${quote.wallet_sends_usdc} USDC; the fee is ${quote.fee_gbp} GBP.`)
    for (const { message } of quote.warnings ?? []) out.note(`Look twice: ${message}`)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // A key may pay and not ask for quotes; whether it is paid all the same, the person decides.
    out.note(`What it costs is not known (${error.code}).`)
  }
}
