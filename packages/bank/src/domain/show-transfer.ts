// A transfer as the bank shows it now: in answers, in lists and in messages alike.
import { presentTransfer } from '../present/present-transfer.ts'
import type { Transfer } from '../storage/transfers.ts'
import type { BankDeps } from './bank-deps.ts'

type Json = Readonly<Record<string, unknown>>
type Shows = Pick<BankDeps, 'publicUrl' | 'appearances'>

export function showTransfer(deps: Shows, transfer: Transfer): object {
  const { without } = deps.appearances.of(transfer.id)
  const whole: Json = { ...presentTransfer(transfer, deps.publicUrl()), state: shownState(deps, transfer) }
  return without.reduce((shown, field) => withoutField(shown, field.split('.')), whole)
}

export function shownState({ appearances }: Shows, { id, state }: Pick<Transfer, 'id' | 'state'>): string {
  return appearances.of(id).state ?? state
}

function withoutField(json: Json, [name = '', ...inner]: readonly string[]): Json {
  const { [name]: value, ...rest } = json
  if (inner.length === 0 || value === undefined) return rest
  return { ...json, [name]: withoutField(value as Json, inner) }
}
