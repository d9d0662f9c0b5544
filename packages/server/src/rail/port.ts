// The port to a bank. Whoever adds a bank begins here: a bank is a PayoutRail, through which payouts are sent, and a
// PartnerBank, for all else that our customers have there. Each method says what it promises. No word of any one bank is
// in here; transfer.ts and account.ts have the shapes that are exchanged, test/contract/ what every rail must pass.
//
// Three rules for all of it. Money is asked for under a reference that never changes, so asking again never pays again.
// What is not certain is said to be unknown, and never guessed. A method that answers by returning throws RailUnavailable
// when the bank cannot be asked, and UnreadableAnswer when what it says makes no sense.
import type { MicroUsdc } from '../core/money.ts'
import type { RailName } from '../core/rail-name.ts'
import type { Rate } from '../core/rate.ts'
import type {
  BankEvent,
  Deposit,
  DepositPage,
  DepositReading,
  DepositSource,
  EventTopic,
  HolderStanding,
  OpenedAccount,
  Received,
  RegisteredWebhook,
  TopUpWays,
  Verification,
} from './account.ts'
import type {
  FoundTransfers,
  ListedTransfer,
  RecipientDetails,
  SoughtTransfer,
  TransferPage,
  TransferRequest,
  TransferSnapshot,
  TransferState,
  WalletAtBank,
} from './transfer.ts'

/**
 * A row may appear in the bank's list up to this long after the time that it bears, and the bank's clock may differ
 * from ours by as much. Reading less far back misses rows, and calling a row missing any sooner may be wrong.
 */
export const ROWS_COME_WITHIN_MS = 60 * 60_000

/** What differs between rails. The rest of the program asks for these, and never which rail it has. */
export interface RailFeatures {
  /** Payments leave a wallet at the bank, to a recipient who is registered there. Without: the money is made up. */
  readonly wallets: boolean
  /** Transfers can be read whole, with owner and amounts. Without: only how one stands, by `readTransfers`. */
  readonly lists: boolean
  /** The bank puts test USDC into a wallet when it is asked to. */
  readonly testMoney: boolean
}

/** The bank's own words for states. Of a state that a payout was in, we have stored only the bank's word. */
export interface StateWords {
  /** The bank may still take the transfer back. */
  readonly stoppable: ReadonlySet<string>
  /** The bank may not have taken anything from the wallet yet. */
  readonly undrawn: ReadonlySet<string>
  /** The bank has not taken the wallet's money in full. */
  readonly unfunded: ReadonlySet<string>
  /** Those of a payment that simply arrives, in their order: whoever knows a later one has nothing to learn from an earlier one. */
  readonly way: readonly string[]
}

/**
 * What was wrong, when it matters what we do next: the rate had moved, the bank's wallet holds too little, the bank no
 * longer has the recipient, or it refuses a partner's account for a reason that is ours to mend.
 */
export type Trouble = 'rate' | 'funds' | 'recipient' | 'account'

/** The answer to "send this". The four kinds are never merged. */
export type SubmitAnswer =
  | { readonly kind: 'accepted'; readonly transfer: TransferSnapshot }
  /** Refused, with proof: the bank does not take these details. Nothing moved and nothing will. */
  | {
      readonly kind: 'rejected'
      readonly reason: string
      readonly isVerdict?: true
      readonly wrong?: WrongDetails
      /** Refused for something that is not the recipient's; absent: for the account, or what is wrong. */
      readonly isForOrder?: true
    }
  /** Certain: no byte of the request can have been acted on. */
  | {
      readonly kind: 'not_sent'
      readonly reason: string
      /** The bank has read this very request and refused it, so it may have kept that answer under its key. */
      readonly isVerdict?: true
      readonly trouble?: Trouble
      /** The bank's own words, where the trouble is ours to mend. */
      readonly bankReason?: string
      /** How long a busy bank asks us to wait, if it does; here and below. */
      readonly retryAfterMs?: number
    }
  /** In doubt: no proof either way. The money stays reserved until there is one. */
  | {
      readonly kind: 'unknown'
      readonly reason: string
      /** This time nothing was asked that the bank could still act on. */
      readonly nothingNew?: true
      readonly retryAfterMs?: number
    }

/** Details that the bank does not take, other than the account's own; absent where it is the account. */
export interface WrongDetails {
  /** As a partner writes them, such as `recipient.address.postal_code`. */
  readonly fields: readonly string[]
  /** For whoever sent them. */
  readonly why: string
}

export type RegisterAnswer =
  | { readonly kind: 'registered'; readonly recipientRef: string | null }
  /** The bank does not take this account, or other details of the recipient. */
  | { readonly kind: 'rejected'; readonly reason: string; readonly wrong?: WrongDetails }
  /** Anything else that went wrong: without a recipient no transfer was asked for, so nothing was sent. */
  | Extract<SubmitAnswer, { kind: 'not_sent' }>

export type CancelAnswer = 'cancelled' | 'too_late' | 'unknown' | BusyBank

/** The bank took nothing, and asks us to wait. */
export interface BusyBank {
  readonly retryAfterMs: number
}

export interface RateReading {
  readonly rate: Rate
  /** Infinity for a rate that never changes, which is not stored. */
  readonly validForMs: number
}

/** Payments. */
export interface PayoutRail {
  readonly name: RailName
  readonly has: RailFeatures
  readonly words: StateWords
  /** How long repeating the same request is answered with the same transfer. After that nothing is sent again. */
  readonly remembersForMs: number
  /** Makes the recipient known to the bank. The same recipient again, at once or later, is the same one. Never throws. */
  registerRecipient(account: WalletAtBank, recipient: RecipientDetails, key: string): Promise<RegisterAnswer>
  /** Asks the bank to pay. Asking again with the same request never pays again. One that throws has proved nothing. */
  submit(request: TransferRequest): Promise<SubmitAnswer>
  /**
   * How transfers stand now. One that the bank does not know, or cannot be asked about, is left out: that proves nothing.
   * `onBusy` hears how long the bank asks us to wait.
   */
  readTransfers(
    transferRefs: readonly string[],
    onBusy?: (bank: BusyBank) => void,
  ): Promise<ReadonlyMap<string, TransferSnapshot>>
  /**
   * One transfer as the bank lists it; null when the bank says that it does not have it, and for money that was added to a
   * transfer, which is no payment. `onAddition` hears of the latter.
   */
  readListed(transferRef: string, onAddition?: () => void): Promise<ListedTransfer | null>
  /** All that the bank has under a payout's reference now. Finding none proves nothing about a request still under way. */
  findTransfers(request: SoughtTransfer): Promise<FoundTransfers>
  /** What changed since a moment, newest first, one page per call. A row that cannot be read is named, and hides no other. */
  listTransfers(since: Date, cursor: string | null): Promise<TransferPage>
  /** Asks the bank to take a transfer back. Whether it did is read from the transfer, whatever the answer. Never throws. */
  cancelTransfer(transferRef: string): Promise<CancelAnswer>
  /** Pounds for a dollar. */
  readRate(): Promise<RateReading>
  /** Of a rail without a bank behind it: what it says of a transfer that was told how to end. */
  readonly endAs?: (transferRef: string, ending: ToldEnding) => TransferSnapshot
  /** Of such a rail too, which does not remember what it was told: whether this was its word for an ending that it was told. */
  readonly wasTold?: (bankState: string | null) => boolean
  /** Of such a rail too: what it will say of a transfer at a later moment. Null for what is none of its own. */
  readonly readAt?: (transferRef: string, at: Date) => TransferSnapshot | null
  /** Of such a rail too: the transfer that `submit` will make of a first request. Null: it must be asked. */
  readonly foretell?: (request: TransferRequest) => TransferSnapshot | null
}

export interface ToldEnding {
  readonly state: Extract<TransferState, 'settled' | 'undeliverable' | 'returned' | 'cancelled'>
  readonly reason: string | null
}

/** Accounts, money that comes in, verification and messages: what our customers have at the bank besides payments. */
export interface PartnerBank {
  /** An account holder of a sandbox, whom nobody has approved yet. Asking again, however late, gives the same one. */
  openSandboxHolder(partner: { id: string; name: string }, key: string): Promise<string>
  /** In a sandbox only: has the holder approved without papers. What became of it is read from the holder. */
  approveSandboxHolder(holderRef: string): Promise<void>
  readHolder(holderRef: string): Promise<HolderStanding>
  /**
   * There is one wallet per holder: asking again, however late, gives the same one. Whoever was refused asks with
   * another key the next time, here and below: the bank may keep a refusal under its key.
   */
  openWallet(holderRef: string, key: string): Promise<OpenedAccount>
  /** The ways to top the wallet up: asking again, however late, gives the same ones. */
  openTopUp(account: WalletAtBank, key: string): Promise<TopUpWays>
  /** In a sandbox only: adds test USDC, which arrives as a deposit on chain. Once per key, however often it is asked. */
  addTestMoney(account: WalletAtBank, amount: MicroUsdc, key: string): Promise<void>
  readWalletBalance(account: WalletAtBank): Promise<MicroUsdc>
  /**
   * `after` is the verification that was rejected, when a new one is started. Asking again may start another one. A
   * link that the bank has for the email is taken up only if that is allowed. Throws EmailTaken when it is not, or when the
   * bank knows the email as somebody else's.
   */
  startVerification(
    partner: { id: string; name: string; email: string },
    how: { returnUrl: string | null; after: string | null; mayTakeUp: boolean },
  ): Promise<Verification>
  /** How a verification stands now. A status that the bank's adapter does not know is never taken for good news. */
  readVerification(verificationRef: string): Promise<Verification>
  /** Everybody's deposits that changed since a moment, one page per call: those that are in their wallets, or were undone. */
  listDeposits(source: DepositSource, since: Date, cursor: string | null): Promise<DepositPage>
  readDeposit(source: DepositSource, depositRef: string): Promise<DepositReading>
  /** Every deposit that ever arrived in one account. A row that cannot be read throws: the sum would be wrong. */
  listAccountDeposits(account: WalletAtBank, ways: TopUpWays): Promise<Deposit[]>
  /** What came into a wallet since a moment, in whatever way; null for a bank that keeps no such history. */
  listReceived(account: WalletAtBank, since: Date): Promise<readonly Received[] | null>
  /** The operator's own wallet at the bank; null where the operator has named none. */
  readonly excess: OperatorFunds | null
  /** Null for a bank that sends no messages: its lists are read all the same, and find everything later. */
  readonly webhooks: BankWebhooks | null
}

/** The operator's own wallet at the bank: what transfers leave over goes in, and what they lack may come out of it. */
export interface OperatorFunds {
  readBalance(): Promise<MicroUsdc>
  /** Adds money to a transfer that lacks some, once per key. Throws RailUnavailable when nobody knows whether it did. */
  addToTransfer(order: { transferRef: string; amount: MicroUsdc; key: string }): Promise<TopUpAnswer>
}

export type TopUpAnswer = { readonly kind: 'added' } | { readonly kind: 'refused'; readonly reason: string }

/** The bank's signed messages. They are hints: what one names is read back from the bank. */
export interface BankWebhooks {
  /** Tells the bank where to send its messages, from now on. */
  register(url: string): Promise<RegisteredWebhook>
  /** Tells the bank to send no more to an address. Whether it heard is not known. */
  remove(webhookRef: string): Promise<void>
  /**
   * Checks the signature over the raw bytes, and the message's age. Throws WebhookRefused when either is wrong, and
   * WebhookUnreadable when both are right and the words make no sense.
   */
  read(message: {
    readonly headers: Readonly<Record<string, string | string[] | undefined>>
    readonly body: Buffer
    readonly publicKey: string
    readonly now: Date
  }): BankEvent
  /** What a message of this category is about. */
  topicOf(category: string): EventTopic
}

/** The controls of our own sandbox bank. No real bank has them. */
export interface SandboxControls {
  /** False when the transfer's state does not allow that move. The scheme's code of the reason, where one is asked for. */
  steer(transferRef: string, move: Steering, reasonCode?: string): Promise<boolean>
  /** A deposit that arrives as a real one would. */
  deposit(walletRef: string, deposit: { amount: MicroUsdc; source: DepositSource }): Promise<void>
  /** Takes money out of a wallet, once per cause, a UUID. False when it does not hold that much. */
  withdraw(walletRef: string, withdrawal: { amount: MicroUsdc; cause: string }): Promise<boolean>
  /** Lets so much time pass for one wallet's transfers, and for no other's: which moved, and whether more will by themselves. */
  advance(walletRef: string, milliseconds: number): Promise<{ moved: readonly string[]; isWaiting: boolean }>
}

/** A move of one transfer, in the sandbox bank's words. */
export type Steering = 'submit' | 'settle' | 'return' | 'undeliver' | 'review' | 'refund' | 'cancel'

/** The bank could not be asked, or did not answer. Nothing is known about what it would have said. */
export class RailUnavailable extends Error {
  override readonly name = 'RailUnavailable'
  /** How long the bank asks us to wait; 0 when it does not say. */
  readonly retryAfterMs: number

  constructor(message: string, options: ErrorOptions & { readonly retryAfterMs?: number | undefined } = {}) {
    super(message, options)
    this.retryAfterMs = options.retryAfterMs ?? 0
  }
}

/** The bank read the request and refused it. Asked under the same key, it may repeat that for a day. */
export class BankRefusal extends RailUnavailable {}

/** The bank knows an email as that of another business, and has one business per email. */
export class EmailTaken extends BankRefusal {}

/** An answer that cannot be read counts as none, and asking again at once will not change it. */
export class UnreadableAnswer extends RailUnavailable {}

/** The message is not the bank's, or too old to be believed. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused'
}

/** The message is the bank's, and what it says cannot be read or cannot be kept. Sent again, it would be the same. */
export class WebhookUnreadable extends Error {
  override readonly name = 'WebhookUnreadable'
}
