import { Type } from 'typebox'

import { invalidParameters } from '../../core/bank-error.ts'
import { formatPence, parsePence } from '../../core/money.ts'
import { type BankTerms, CAPABILITIES, changeTerms, readTerms } from '../../storage/bank-terms.ts'
import { type RouteContext, allowNoBody } from '../route-context.ts'

const Change = Type.Object({
  smallest_gbp: Type.Optional(Type.String()),
  deposits_shown_in: Type.Optional(Type.Enum(['usdc', 'gbp'])),
  refunds_return: Type.Optional(Type.Enum(['everything', 'converted'])),
  amount_shows: Type.Optional(Type.Enum(['source', 'source_and_top_ups'])),
  not_enabled: Type.Optional(Type.Array(Type.Enum([...CAPABILITIES]))),
})

interface ChangeBody {
  readonly smallest_gbp?: string
  readonly deposits_shown_in?: BankTerms['depositsShownIn']
  readonly refunds_return?: BankTerms['refundsReturn']
  readonly amount_shows?: BankTerms['amountShows']
  readonly not_enabled?: BankTerms['notEnabled']
}

/** `GET, POST /_control/terms` */
export function addTermsControls({ app, deps }: RouteContext): void {
  app.get('/terms', async () => presented(await readTerms(deps.db)))

  app.post<{ Body: ChangeBody }>(
    '/terms',
    { schema: { body: Change }, preValidation: allowNoBody },
    async ({ body }) => {
      const change = changeIn(body)
      return presented(await deps.db.inTransaction((tx) => changeTerms(tx, change)))
    },
  )
}

function changeIn(body: ChangeBody): Partial<BankTerms> {
  const smallest = body.smallest_gbp === undefined ? undefined : parsePence(body.smallest_gbp)
  if (smallest === null || smallest === 0n) throw invalidParameters('body', ['smallest_gbp'])
  return {
    ...(smallest === undefined ? {} : { smallest }),
    ...(body.deposits_shown_in === undefined ? {} : { depositsShownIn: body.deposits_shown_in }),
    ...(body.refunds_return === undefined ? {} : { refundsReturn: body.refunds_return }),
    ...(body.amount_shows === undefined ? {} : { amountShows: body.amount_shows }),
    ...(body.not_enabled === undefined ? {} : { notEnabled: body.not_enabled }),
  }
}

function presented(terms: BankTerms): object {
  return {
    smallest_gbp: formatPence(terms.smallest),
    deposits_shown_in: terms.depositsShownIn,
    refunds_return: terms.refundsReturn,
    amount_shows: terms.amountShows,
    not_enabled: terms.notEnabled,
    excess_wallet_id: terms.excessWalletId,
  }
}
