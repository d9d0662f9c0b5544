import { Type, type Static } from 'typebox'

import { DateTime, Money } from './scalars.ts'
import { Named, Nullable, Words } from './schema.ts'

const nullableObject = <T extends Record<string, ReturnType<typeof Type.String>>>(properties: T, description: string) =>
  Type.Unsafe<{ [K in keyof T]: string | null } | null>({
    ...Type.Object(properties, { description }),
    type: ['object', 'null'],
  })

const DepositFields = Type.Object({
  id: Type.String({ description: 'The bank’s own id of the deposit.' }),
  source: Words(['bank', 'chain'], { description: 'A transfer in pounds, or USDC.' }),
  usdc: Money('What arrived, in USDC.', '500.00'),
  received_at: DateTime,
})

export const Deposit = Named('Deposit', { ...DepositFields, description: 'Money that arrived in the wallet.' })
export type Deposit = Static<typeof Deposit>

export const Funding = Named(
  'Funding',
  Type.Object(
    {
      object: Type.Literal('funding'),
      bank_transfer: nullableObject(
        {
          account_name: Type.String({ description: 'The name that the account is in.' }),
          bank_name: Type.String(),
          sort_code: Type.String({ description: 'Six digits.' }),
          account_number: Type.String({ description: 'Eight digits.' }),
          reference: {
            ...Type.String({ description: 'What the transfer must say, if anything.' }),
            type: ['string', 'null'],
          } as never,
        },
        'Where a transfer in pounds goes; it is converted to USDC when it arrives. Null until a bank is connected.',
      ),
      onchain: nullableObject(
        {
          currency: Type.String({ description: 'Always `USDC`.' }),
          chain: Type.String(),
          address: Type.String({ description: 'The address that feeds the wallet.' }),
        },
        'Where USDC is sent. Anything else, or on another chain, cannot be recovered. Null until a bank is connected.',
      ),
      missing: Type.Array(Type.String(), {
        description:
          'What the bank has not opened for this account although it was asked: a sentence each. Empty when nothing is missing, or when it was asked only just now.',
      }),
      deposits: Type.Array(DepositFields, {
        description: 'Deposits that the bank has reported: the latest 50, the newest first.',
      }),
      top_ups: Type.Array(
        Type.Object({
          id: Type.String({ description: 'The bank’s own id of the deposit, or ours.' }),
          source: Words(['bank', 'chain', 'operator'], {
            description: 'A transfer in pounds, USDC, or put there by the operator: an opening float, a correction.',
          }),
          usdc: Money('What was put into the wallet, in USDC.', '500.00'),
          at: DateTime,
          note: Nullable(Type.String({ description: 'What the operator said about it.' })),
        }),
        {
          description: 'Everything that was put into the wallet, as statements and invoices add it up: the latest 50.',
        },
      ),
    },
    { description: 'How to top the wallet up, and what has arrived.' },
  ),
)
export type Funding = Static<typeof Funding>
