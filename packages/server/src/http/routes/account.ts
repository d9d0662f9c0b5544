// The account: its facts, balance, limits, activity and recipients.
import { Account, Balance, Compliance, GoLive, RecipientList } from '@kestrel/contract'

import { readLiveStanding } from '../../domain/banking/verification/live-standing.ts'
import { readGoLive } from '../../domain/banking/verification/go-live.ts'
import { summariseRecipients } from '../../domain/recipients/summarise-recipients.ts'
import { readBalance } from '../../domain/wallet/read-balance.ts'
import { callerOf, scopeOf, termsOf } from '../access/authenticate.ts'
import { presentAccount, presentBalance, presentCompliance } from '../present/account.ts'
import { presentGoLive } from '../present/go-live.ts'
import { presentList, presentRecipient } from '../present/lists.ts'
import { AGGREGATE } from '../access/route-cost.ts'
import { addActivityRoutes } from './activity.ts'
import { addRead } from './add-read.ts'
import type { RouteContext } from './route-context.ts'

export function addAccountRoutes(context: RouteContext): void {
  const { deps } = context
  addRead(context, {
    tag: 'Account',
    url: '/v1/account',
    id: 'readAccount',
    action: 'account.read',
    summary: 'Read the account',
    description: 'Status, wallet, countries, prices, and the rail that this key drives.',
    schema: Account,
    answer: async (request) => presentAccount(callerOf(request)),
  })
  addRead(context, {
    tag: 'Account',
    url: '/v1/balance',
    id: 'readBalance',
    action: 'balance.read',
    summary: 'Read the balance',
    description:
      'What the wallet can still pay out, rounded down to the cent, about how many pounds that is, and how long it lasts. Send its `ETag` back as `If-None-Match`, and the answer is 304 without a body while nothing has changed.',
    schema: Balance,
    errors: ['bank_unavailable'],
    isShared: true,
    answer: async (request) => presentBalance(await readBalance(deps, termsOf(request))),
  })
  addRead(context, {
    tag: 'Account',
    url: '/v1/compliance',
    id: 'readCompliance',
    action: 'compliance.read',
    summary: 'Read compliance',
    description: 'How far business verification is, and the limits of the account.',
    schema: Compliance,
    answer: async (request) => {
      const caller = callerOf(request)
      return presentCompliance(caller, await readLiveStanding(deps, caller))
    },
  })
  addGoLive(context)
  addActivityRoutes(context)
  addRead(context, {
    tag: 'Account',
    url: '/v1/recipients',
    id: 'listRecipients',
    action: 'recipients.list',
    summary: 'List recipients',
    description:
      'Grouped from the newest 10,000 payouts of the last 90 days, those of them that are on their way or completed. `paid_gbp` counts the completed ones.',
    schema: RecipientList,
    ...AGGREGATE,
    answer: async (request) => presentList((await summariseRecipients(deps, scopeOf(request))).map(presentRecipient)),
  })
}

function addGoLive(context: RouteContext): void {
  const { deps, publicUrl } = context
  addRead(context, {
    tag: 'Account',
    url: '/v1/go-live',
    id: 'readGoLive',
    action: 'go_live.read',
    summary: 'Read what is left before live',
    description:
      'What is done and what is left before real money is paid, from the traffic and the account itself: a payout that arrived in sandbox, a failed one that your program read, a repeated request, two admins, verification, money. The same for both environments.',
    schema: GoLive,
    answer: async (request) => presentGoLive(await readGoLive(deps, callerOf(request)), publicUrl),
  })
}
