// The events that tell webhooks what happened, made from how a thing looked before and after.
import { newEventId, newId } from '../core/ids.ts'
import type { MicroUsdc } from '../core/money.ts'
import { presentCustomer, presentKycLink } from '../present/present-customer.ts'
import { presentDrain, presentVirtualAccountEvent } from '../present/present-deposit.ts'
import { presentTopUp } from '../present/present-transfer.ts'
import { presentWalletActivity } from '../present/present-wallet.ts'
import type { Customer } from '../storage/customers.ts'
import type { BankEvent } from '../storage/events.ts'
import type { KycLink } from '../storage/kyc-links.ts'
import type { Drain } from '../storage/liquidation-addresses.ts'
import type { TopUp } from '../storage/top-ups.ts'
import type { Transfer } from '../storage/transfers.ts'
import type { VirtualAccountEvent } from '../storage/virtual-accounts.ts'
import type { Wallet } from '../storage/wallets.ts'
import type { BankDeps } from './bank-deps.ts'
import { showTransfer, shownState } from './show-transfer.ts'

type Draft = Omit<BankEvent, 'id' | 'changes' | 'availableAt'> & Partial<Pick<BankEvent, 'changes' | 'availableAt'>>

function event(draft: Draft): BankEvent {
  return { id: newEventId(), changes: {}, availableAt: null, ...draft }
}

function moved<T extends string>(was: { status: T; at: Date }, is: { status: T; at: Date }, field: string) {
  return {
    type: was.status === is.status ? ('updated' as const) : ('updated.status_transitioned' as const),
    changes: {
      ...(was.status === is.status ? {} : { [field]: [was.status, is.status] as const }),
      updated_at: [was.at, is.at] as const,
    },
  }
}

type Shows = Pick<BankDeps, 'publicUrl' | 'appearances'>

function aboutTransfer(deps: Shows, transfer: Transfer) {
  return {
    category: 'transfer' as const,
    objectId: transfer.id,
    objectStatus: shownState(deps, transfer),
    object: showTransfer(deps, transfer),
    createdAt: transfer.updatedAt,
  }
}

export function transferCreated(deps: Shows, transfer: Transfer): BankEvent {
  const about = aboutTransfer(deps, transfer)
  return event({ ...about, type: 'created', availableAt: transfer.visibleFrom })
}

export function transferMoved(deps: Shows, { was, is }: { was: Transfer; is: Transfer }): BankEvent {
  const from = { status: shownState(deps, was), at: was.updatedAt }
  const change = moved(from, { status: shownState(deps, is), at: is.updatedAt }, 'state')
  return event({ ...aboutTransfer(deps, is), ...change })
}

/** What was added to a transfer is one more transfer, which has happened when it is made. */
export function topUpMade(topUp: TopUp): BankEvent {
  return event({
    category: 'transfer',
    type: 'created',
    objectId: topUp.id,
    objectStatus: 'payment_processed',
    object: presentTopUp(topUp),
    createdAt: topUp.createdAt,
  })
}

function aboutCustomer(customer: Customer) {
  return {
    category: 'customer' as const,
    objectId: customer.id,
    objectStatus: customer.status,
    object: presentCustomer(customer),
    createdAt: customer.updatedAt,
  }
}

export function customerCreated(customer: Customer): BankEvent {
  return event({ ...aboutCustomer(customer), type: 'created' })
}

export function customerMoved(was: Customer, is: Customer): BankEvent {
  const change = moved({ status: was.status, at: was.updatedAt }, { status: is.status, at: is.updatedAt }, 'status')
  return event({ ...aboutCustomer(is), ...change })
}

function aboutKycLink(link: KycLink, publicUrl: string) {
  return {
    category: 'kyc_link' as const,
    objectId: link.id,
    objectStatus: link.kycStatus,
    object: presentKycLink(link, publicUrl),
    createdAt: link.updatedAt,
  }
}

export function kycLinkCreated(link: KycLink, publicUrl: string): BankEvent {
  return event({ ...aboutKycLink(link, publicUrl), type: 'created' })
}

export function kycLinkMoved(was: KycLink, is: KycLink, publicUrl: string): BankEvent {
  const from = { status: was.kycStatus, at: was.updatedAt }
  const change = moved(from, { status: is.kycStatus, at: is.updatedAt }, 'kyc_status')
  return event({ ...aboutKycLink(is, publicUrl), ...change })
}

/** Events about one deposit are events about one object, so they arrive in order. */
export function virtualAccountActivity(activity: VirtualAccountEvent, publicUrl: string): BankEvent {
  return event({
    category: 'virtual_account.activity',
    type: 'created',
    objectId: activity.depositId,
    objectStatus: activity.type,
    object: presentVirtualAccountEvent(activity, publicUrl),
    createdAt: activity.createdAt,
  })
}

/** Money that came into a wallet in another way than a deposit; the wallet is as it is after that. */
export function walletActivity(activity: { wallet: Wallet; amount: MicroUsdc; at: Date }): BankEvent {
  const id = newId()
  return event({
    category: 'bridge_wallet.activity',
    type: 'created',
    objectId: id,
    objectStatus: null,
    object: presentWalletActivity({ ...activity, id }),
    createdAt: activity.at,
  })
}

function aboutDrain(drain: Drain, publicUrl: string) {
  return {
    category: 'liquidation_address.drain' as const,
    objectId: drain.id,
    objectStatus: drain.state,
    object: presentDrain(drain, publicUrl),
    createdAt: drain.updatedAt,
  }
}

export function drainCreated(drain: Drain, publicUrl: string): BankEvent {
  return event({ ...aboutDrain(drain, publicUrl), type: 'created' })
}

export function drainMoved(was: Drain, is: Drain, publicUrl: string): BankEvent {
  const change = moved({ status: was.state, at: was.updatedAt }, { status: is.state, at: is.updatedAt }, 'state')
  return event({ ...aboutDrain(is, publicUrl), ...change })
}
