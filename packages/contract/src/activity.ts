import { Type, type Static } from 'typebox'

import type { ActionName } from './action-words.ts'
import { DateTime, Uuid } from './scalars.ts'
import { ListOf, Named, Nullable, Words } from './schema.ts'

/** What the operator's commands leave in a partner's activity. The dashboard has words for each. */
export const OPERATOR_ACTIONS = [
  'invoice.mail',
  'invoice.pay',
  'invoice.void',
  'key.create',
  'key.revoke',
  'partner.activate',
  'partner.close',
  'partner.create',
  'partner.limits',
  'partner.suspend',
  'partner.verify',
  'payout.recall',
  'payout.refresh',
  'payout.came_back',
  'payout.made_good',
  'payout.release',
  'payout.top_up',
  'payout.resolve',
  'payout.trace',
  'payouts.pause',
  'payouts.resume',
  'plan.set',
  'wallet.credit',
  'wallet.debit',
] as const satisfies readonly ActionName[]
export type OperatorActionName = (typeof OPERATOR_ACTIONS)[number]

export const ActivityEntry = Named(
  'ActivityEntry',
  Type.Object(
    {
      at: DateTime,
      environment: Nullable(Type.String()),
      action: Type.String({ description: 'What was asked for, as `resource.verb`.', examples: ['payout.create'] }),
      status: Nullable(Type.Integer({ description: 'The HTTP status of the answer.' })),
      by: Type.String({ description: 'Who made the request.', examples: ['kp_sandbox_5d0c1a'] }),
      detail: Nullable(Type.String()),
      id: Uuid,
      request_id: Nullable(
        Type.String({
          format: 'uuid',
          description: 'The `X-Request-Id` of the answer; null for the actions of the operator.',
        }),
      ),
      method: Nullable(Type.String({ examples: ['POST'] })),
      path: Nullable(Type.String({ description: 'The path, without the query.', examples: ['/v1/payouts'] })),
      duration_ms: Nullable(Type.Integer({ minimum: 0, description: 'How long the answer took.' })),
      ip: Nullable(Type.String({ description: 'Where the request came from.' })),
      key_id: Nullable(Type.String({ format: 'uuid', description: 'The API key; null for the dashboard.' })),
      summary: Type.String({
        description: 'Who did what, in words.',
        examples: ['Ada Lovelace changed the daily limit of the API key “orders” from £100.00 to £500.00'],
      }),
      by_name: Nullable(Type.String({ description: 'The name of the member who asked, if they have said it.' })),
      subject: Nullable(Type.String({ description: 'What was changed, by its name.', examples: ['“orders”'] })),
      changes: Type.Array(
        Type.Object({
          field: Type.String({ examples: ['daily_gbp'] }),
          before: Nullable(Type.String()),
          after: Nullable(Type.String()),
        }),
        { description: 'What is different now, and what it was before.' },
      ),
    },
    { description: 'One request on the account.' },
  ),
)
export type ActivityEntry = Static<typeof ActivityEntry>

export const ActivityList = ListOf(ActivityEntry, {
  $id: 'ActivityList',
  description: 'Requests on the account, the newest first.',
})

const Body = {
  body: Nullable(
    Type.String({
      description:
        'JSON, at most 4,096 characters. Letters and digits of people, accounts, addresses and free text are `*`; a `[secret]` is not told at all.',
    }),
  ),
  bytes: Nullable(Type.Integer({ minimum: 0, description: 'How long it was, if that is known.' })),
  cut: Type.Boolean({ description: 'There was more of it.' }),
  left_out: Nullable(
    Words(['not_json', 'not_read', 'too_large', 'file', 'many_reads'], {
      description:
        'Why there is no `body`: it was no JSON, was refused before it was read, was longer than is read, is a file, or is one of more than 60 reads within a minute.',
    }),
  ),
}

export const ActivityDetail = Named(
  'ActivityDetail',
  Type.Object(
    {
      ...ActivityEntry.properties,
      idempotency_key: Nullable(Type.String({ description: 'The header `Idempotency-Key` of the request.' })),
      kept_until: Nullable(
        Type.String({ format: 'date-time', description: 'Until when the request and the answer are kept: 14 days.' }),
      ),
      request: Nullable(
        Type.Object({
          query: Nullable(Type.String({ description: 'The query, masked like the body.' })),
          headers: Type.Record(Type.String(), Type.String(), {
            description: 'The headers that a request is made with, without who asks.',
          }),
          ...Body,
        }),
      ),
      response: Nullable(Type.Object(Body)),
      curl: Nullable(
        Type.String({
          description: 'The request as a command, with stars where it is masked and the key as `$KESTREL_API_KEY`.',
        }),
      ),
    },
    {
      description:
        'One request on the account with what was asked and answered, masked. `request` and `response` are null when they are no longer kept, and for what members only looked at.',
    },
  ),
)
export type ActivityDetail = Static<typeof ActivityDetail>
