import type { Funding } from '@kestrel/contract'

import { formatUsdcHeld } from '../../core/money.ts'
import type { listDeposits, listTopUps } from '../../domain/banking/feeds/list-deposits.ts'
import type { Caller } from '../access/caller.ts'

type Deposits = Awaited<ReturnType<typeof listDeposits>>
type TopUps = Awaited<ReturnType<typeof listTopUps>>

interface Found {
  readonly deposits: Deposits
  readonly topUps: TopUps
  readonly missing: string[]
}

export function presentFunding(caller: Caller, { deposits, topUps, missing }: Found): Funding {
  const { depositAccount: bank, address } = caller
  return {
    object: 'funding',
    bank_transfer:
      bank === null
        ? null
        : {
            account_name: bank.accountName,
            bank_name: bank.bankName,
            sort_code: bank.sortCode,
            account_number: bank.accountNumber,
            reference: bank.reference,
          },
    onchain: address === null ? null : { currency: 'USDC', chain: caller.chain, address },
    missing,
    deposits: deposits.map((deposit) => ({
      id: deposit.depositRef,
      source: deposit.source,
      usdc: formatUsdcHeld(deposit.amount),
      received_at: deposit.receivedAt.toISOString(),
    })),
    top_ups: topUps.map(({ ref, source, amount, at, note }) => ({
      id: ref,
      source,
      usdc: formatUsdcHeld(amount),
      at: at.toISOString(),
      note,
    })),
  }
}
