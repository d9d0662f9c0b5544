// In live, a sort code and account number that cannot belong together are refused before anything is sent. Sandbox
// accepts any valid-looking pair (spec, part 1). Where the operator has chosen no table, the bank's own answer counts.
import { AppError } from '../../../core/errors.ts'
import { chosenModulusTable } from '../../modulus/chosen-table.ts'
import { checkModulus } from '../../modulus/modulus-check.ts'

interface Pair {
  readonly sort_code: string
  readonly account_number: string
}

export function isImpossibleAccount({ sort_code: sortCode, account_number: accountNumber }: Pair): boolean {
  const table = chosenModulusTable()
  return table !== null && checkModulus(table, { sortCode, accountNumber }) === 'invalid'
}

export function refuseImpossibleAccount(bank: Pair): void {
  if (!isImpossibleAccount(bank)) return
  throw new AppError(
    'recipient_account_rejected',
    'This sort code and account number cannot belong together. Nothing was sent. Check both with the recipient.',
    { details: { fields: ['recipient.bank.sort_code', 'recipient.bank.account_number'] } },
  )
}
