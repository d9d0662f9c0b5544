// The bank until a bank is connected. It stores nothing: a transfer's state follows from its reference, which names its
// story and when it was accepted, and from the clock. So a restart forgets nothing, and every process gives the same
// answer.
import { type SandboxStory, storyOf } from '@kestrel/bank/outcomes'

import type { Clock } from '../core/clock.ts'
import { after } from '../core/clock.ts'
import { parseRate } from '../core/rate.ts'
import type { PayoutRail, SubmitAnswer } from './port.ts'
import type { TransferRequest, TransferSnapshot } from './transfer.ts'

/** 10,000.00 USDC at this rate is the sandbox float of 7,900 GBP (spec, part 8). */
export const SIMULATED_RATE = parseRate('0.79')!

const SETTLES_AFTER_MS = 2_000
const RETURNS_AFTER_MS = 4_000
/** How long money that did not arrive takes to come back. */
const REFUNDS_AFTER_MS = 500
/** In the story `late`, how long the bank takes to say that it has the transfer. */
const LATE_BY_MS = 1_500

/** No story has a name that begins so. */
const TOLD = 'told_'

const REFERENCE = /^sim_([a-z]+)_(\d+)_([0-9a-f-]{36})$/

type AnsweredBy = Pick<TransferRequest, 'clientReference' | 'requestedAt' | 'recipient' | 'statementReference'>

export function createSimulatedRail(clock: Clock): PayoutRail {
  return {
    name: 'simulated',
    has: { wallets: false, lists: false, testMoney: false },
    words: { stoppable: new Set(), undrawn: new Set(), unfunded: new Set(), way: [] },
    remembersForMs: Number.POSITIVE_INFINITY,
    registerRecipient: () => Promise.resolve({ kind: 'registered', recipientRef: null }),
    submit: (request) => Promise.resolve(answer(request, clock.now())),
    readTransfers: (transferRefs) => {
      const found = transferRefs.map((ref) => [ref, snapshot(ref, clock.now())] as const)
      return Promise.resolve(new Map(found.filter((pair): pair is [string, TransferSnapshot] => pair[1] !== null)))
    },
    findTransfers: ({ recipient, statementReference = null, ...request }) => {
      if (recipient === undefined) return Promise.resolve({ own: [], others: [], earlier: [], nameless: [] })
      const found = answer({ ...request, recipient, statementReference }, clock.now())
      return Promise.resolve({
        own: found.kind === 'accepted' ? [found.transfer] : [],
        others: [],
        earlier: [],
        nameless: [],
      })
    },
    readListed: () => Promise.resolve(null),
    listTransfers: () => Promise.resolve({ transfers: [], unread: [], next: null }),
    // No transfer waits long enough here to be stopped, and a bank that stores nothing could not remember it.
    cancelTransfer: () => Promise.resolve('too_late'),
    readRate: () => Promise.resolve({ rate: SIMULATED_RATE, validForMs: Number.POSITIVE_INFINITY }),
    readAt: snapshot,
    foretell: (request) => {
      const foretold = answer(request, request.requestedAt)
      return foretold.kind === 'accepted' ? foretold.transfer : null
    },
    endAs: (transferRef, ending) => ({
      ...ending,
      transferRef,
      refund: ending.state === 'settled' ? 'none' : 'done',
      nextChangeAt: null,
      bankState: `${TOLD}${ending.state}`,
    }),
    wasTold: (bankState) => bankState?.startsWith(TOLD) === true,
  }
}

function answer(request: AnsweredBy, now: Date): SubmitAnswer {
  const story = storyOf({ accountNumber: request.recipient.bank.account_number, reference: request.statementReference })
  // A verdict on every attempt, also on one whose answer was lost: this request never makes a transfer.
  const isVerdict = true as const
  if (story === 'reject')
    return { kind: 'rejected', reason: 'The sandbox bank refused these account details.', isVerdict }
  if (story === 'down') return { kind: 'not_sent', reason: 'The sandbox bank is down.', isVerdict }
  if (story === 'late' && now < after(request.requestedAt, LATE_BY_MS)) {
    return { kind: 'unknown', reason: 'The sandbox bank did not answer in time.' }
  }
  // Counted from the request and not from now: asking again must give the same transfer.
  const acceptedAt = story === 'late' ? after(request.requestedAt, LATE_BY_MS) : request.requestedAt
  const transferRef = `sim_${story}_${acceptedAt.getTime()}_${request.clientReference}`
  return { kind: 'accepted', transfer: snapshot(transferRef, now)! }
}

function snapshot(transferRef: string, now: Date): TransferSnapshot | null {
  const [, story, acceptedMs] = REFERENCE.exec(transferRef) ?? []
  if (story === undefined || acceptedMs === undefined) return null
  const acceptedAt = new Date(Number.parseInt(acceptedMs, 10))
  const settlesAt = after(acceptedAt, SETTLES_AFTER_MS)
  const rest = { transferRef, refund: 'none', reason: null, nextChangeAt: null, bankState: story } as const
  if (story === 'refuse') {
    return { ...rest, state: 'undeliverable', refund: 'done', reason: 'Sort code or account number unknown (1114)' }
  }
  if (story === 'hold') return { ...rest, state: 'submitted' }
  if (now < settlesAt) return { ...rest, state: 'submitted', nextChangeAt: settlesAt }
  return afterSettling(story as SandboxStory, rest, { now, settlesAt, returnsAt: after(acceptedAt, RETURNS_AFTER_MS) })
}

function afterSettling(
  story: SandboxStory,
  rest: Omit<TransferSnapshot, 'state'>,
  times: { now: Date; settlesAt: Date; returnsAt: Date },
): TransferSnapshot {
  switch (story) {
    case 'fail':
      return {
        ...rest,
        ...refunded(times.settlesAt, times.now),
        state: 'undeliverable',
        reason: 'Beneficiary account stopped (1161)',
      }
    case 'cancel':
      return { ...rest, state: 'cancelled', refund: 'done', reason: 'Cancelled by the sandbox bank' }
    case 'return':
      if (times.now < times.returnsAt) return { ...rest, state: 'settled', nextChangeAt: times.returnsAt }
      return {
        ...rest,
        ...refunded(times.returnsAt, times.now),
        state: 'returned',
        reason: 'Beneficiary account closed (00000002)',
      }
    case 'down':
    case 'hold':
    case 'late':
    case 'refuse':
    case 'reject':
    case 'settle':
      return { ...rest, state: 'settled' }
  }
}

function refunded(since: Date, now: Date): Pick<TransferSnapshot, 'refund' | 'nextChangeAt'> {
  const at = after(since, REFUNDS_AFTER_MS)
  return now < at ? { refund: 'in_flight', nextChangeAt: at } : { refund: 'done', nextChangeAt: null }
}
