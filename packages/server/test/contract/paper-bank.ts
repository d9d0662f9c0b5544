// A bank of quite another kind: its books are in memory, its words are its own, and it sends no messages. The program
// knows it by the port alone, so whatever pays through it depends on no other bank.
import { newId } from '../../src/core/ids.ts'
import { type MicroUsdc, microUsdc } from '../../src/core/money.ts'
import { parseRate } from '../../src/core/rate.ts'
import type { Deposit } from '../../src/rail/account.ts'
import type { PartnerBank, PayoutRail } from '../../src/rail/port.ts'
import type { ListedTransfer, TransferRequest, TransferState, WalletAtBank } from '../../src/rail/transfer.ts'
import type { RailName } from '../../src/core/rail-name.ts'

const STATES = {
  queued: 'accepted',
  delivered: 'settled',
  torn: 'cancelled',
  bounced: 'returned',
} as const satisfies Record<string, TransferState>

/** A payment as this bank keeps it. */
interface Slip {
  readonly number: string
  readonly request: TransferRequest
  readonly writtenAt: Date
  readonly deliveredAt: Date
  tornAt: Date | null
  bouncedAt: Date | null
}

export interface PaperBank {
  readonly rail: PayoutRail
  readonly bank: PartnerBank
  /** The payments that it has, by its own numbers. */
  readonly slips: ReadonlyMap<string, unknown>
  /** The recipient's bank sends a payment back, and its money is in the wallet again. */
  readonly sendBack: (slip: string) => void
  /** Money arrives for an account holder. */
  readonly payIn: (holderRef: string, amount: MicroUsdc) => void
}

export function openPaperBank(name: RailName, now: () => Date, deliveredAfterMs: number): PaperBank {
  const isSandbox = name.endsWith('_sandbox')
  const slips = new Map<string, Slip>()
  const recipients = new Map<string, string>()
  const deposits = new Map<string, Deposit>()
  const asListed = (slip: Slip) => listed(slip, now())
  const spent = (holderRef: string) =>
    [...slips.values()]
      .filter(
        (slip) => slip.request.account?.holderRef === holderRef && slip.tornAt === null && slip.bouncedAt === null,
      )
      .reduce((sum, { request }) => sum + request.walletSends, 0n)
  const depositsOf = (holderRef: string) => [...deposits.values()].filter((each) => each.holderRef === holderRef)
  const balance = ({ holderRef }: WalletAtBank): MicroUsdc =>
    microUsdc(depositsOf(holderRef).reduce((sum, { amount }) => sum + amount, 0n) - spent(holderRef))

  function payIn(holderRef: string, amount: MicroUsdc, depositRef: string): void {
    const at = now()
    const deposit = { depositRef, holderRef, source: 'chain', amount, receivedAt: at, updatedAt: at } as const
    if (!deposits.has(depositRef)) deposits.set(depositRef, deposit)
  }

  const rail: PayoutRail = {
    name,
    has: { wallets: true, lists: true, testMoney: isSandbox },
    words: { stoppable: new Set(['queued']), undrawn: new Set(), unfunded: new Set(), way: [] },
    remembersForMs: Number.POSITIVE_INFINITY,
    registerRecipient: async ({ holderRef }, recipient) => {
      const card = JSON.stringify([holderRef, recipient])
      recipients.set(card, recipients.get(card) ?? newId(now()))
      return { kind: 'registered', recipientRef: recipients.get(card)! }
    },
    submit: async (request) => {
      const known = [...slips.values()].find((slip) => slip.request.clientReference === request.clientReference)
      if (known !== undefined) return { kind: 'accepted', transfer: asListed(known) }
      if (balance(request.account!) < request.walletSends) {
        return { kind: 'not_sent', reason: 'Too little in the wallet.', isVerdict: true, trouble: 'funds' }
      }
      const [number, writtenAt] = [`slip-${slips.size + 1}`, now()]
      const deliveredAt = new Date(writtenAt.getTime() + deliveredAfterMs)
      const slip: Slip = { number, request, writtenAt, deliveredAt, tornAt: null, bouncedAt: null }
      slips.set(slip.number, slip)
      return { kind: 'accepted', transfer: asListed(slip) }
    },
    readTransfers: async (refs) =>
      new Map(refs.flatMap((ref) => (slips.has(ref) ? [[ref, asListed(slips.get(ref)!)]] : []))),
    readListed: async (ref) => (slips.has(ref) ? asListed(slips.get(ref)!) : null),
    findTransfers: async ({ account, clientReference, earlier = [] }) => {
      const found = [...slips.values()].filter((slip) => slip.request.clientReference === clientReference)
      const isOwn = ({ request }: Slip) => request.account?.holderRef === account?.holderRef
      return {
        own: found.filter(isOwn).map(asListed),
        others: found.filter((slip) => !isOwn(slip)).map(({ number }) => number),
        earlier: [...slips.values()]
          .filter((slip) => earlier.includes(slip.request.clientReference))
          .map(({ number, request }) => ({ clientReference: request.clientReference, transferRef: number })),
        nameless: [],
      }
    },
    listTransfers: async (since) => {
      const changed = [...slips.values()].map(asListed).filter(({ updatedAt }) => updatedAt >= since)
      return { transfers: changed.toReversed(), unread: [], next: null }
    },
    cancelTransfer: async (ref) => {
      const slip = slips.get(ref)
      if (slip === undefined || asListed(slip).bankState !== 'queued') return 'too_late'
      slip.tornAt = now()
      return 'cancelled'
    },
    readRate: async () => ({ rate: parseRate('0.77')!, validForMs: 1_000 }),
  }

  const bank: PartnerBank = {
    openSandboxHolder: async ({ id }) => `holder-${id}`,
    approveSandboxHolder: async () => undefined,
    readHolder: async () => ({ isApproved: true, hasPounds: true, missing: [] }),
    openWallet: async (holderRef) => ({ holderRef, walletRef: `${holderRef}/wallet`, chain: 'base' }),
    openTopUp: async ({ walletRef }) => ({
      bankRef: `${walletRef}/in`,
      bankRefusal: null,
      bank: { accountName: 'P', bankName: 'Paper', sortCode: '040004', accountNumber: '12345678', reference: null },
      chainRef: `${walletRef}/address`,
      chainAddress: `0x${walletRef}`,
    }),
    addTestMoney: async ({ holderRef }, amount, key) => payIn(holderRef, amount, `gift ${key}`),
    readWalletBalance: async (account) => balance(account),
    listReceived: async () => null,
    excess: null,
    startVerification: async ({ id }) => verified(id),
    readVerification: async (ref) => verified(ref),
    listDeposits: async (source, since) => ({
      deposits: [...deposits.values()].filter((each) => each.source === source && each.updatedAt >= since),
      undone: [],
      transactions: [],
      unread: [],
      next: null,
    }),
    readDeposit: async (_source, ref) => {
      const own = [...deposits.values()].filter(({ depositRef }) => depositRef === ref)
      return { isKnown: own.length > 0, deposits: own, undone: [], transactions: [], unread: [] }
    },
    listAccountDeposits: async ({ holderRef }) => depositsOf(holderRef),
    webhooks: null,
  }
  return {
    rail,
    bank,
    slips,
    sendBack: (slip) => {
      slips.get(slip)!.bouncedAt = now()
    },
    payIn: (holderRef, amount) => payIn(holderRef, amount, `coin ${deposits.size + 1}`),
  }
}

function listed({ number, request, writtenAt, deliveredAt, tornAt, bouncedAt }: Slip, now: Date): ListedTransfer {
  const ended = tornAt !== null ? 'torn' : bouncedAt !== null ? 'bounced' : null
  const word = ended ?? (now < deliveredAt ? 'queued' : 'delivered')
  return {
    transferRef: number,
    state: STATES[word],
    refund: ended === null ? 'none' : 'done',
    reason: word === 'bounced' ? 'Gone away.' : null,
    bankState: word,
    nextChangeAt: null,
    clientReference: request.clientReference,
    holderRef: request.account!.holderRef,
    send: request.walletSends,
    receive: request.receive,
    updatedAt: tornAt ?? bouncedAt ?? (word === 'queued' ? writtenAt : deliveredAt),
  }
}

function verified(id: string) {
  const links = { continueUrl: null, termsUrl: null, reasons: [], missing: [] }
  return {
    verificationRef: id,
    holderRef: `holder-${id}`,
    status: 'approved',
    bankStatus: 'stamped',
    ...links,
  } as const
}
