// What the real bank's OpenAPI document says about the bodies that this bank sends, copied by hand from its schemas of
// November 2025. Objects are closed: a field that the description does not name must not be sent. What is not in it comes
// from the later guides to pounds and to fixed outputs: gbp, faster_payments, gb, sort codes; `pending`, which their
// examples have; `underfunded` with its instructions, and the developer's exchange fee on a receipt.
import { Check, Errors } from 'typebox/schema'

const text = { type: 'string' }
const flag = { type: 'boolean' }
const whole = { type: 'integer' }
const id = { type: 'string', minLength: 1, maxLength: 42 }
const moment = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' }
const money = { type: 'string', pattern: '^\\d+\\.\\d{2,6}$' }
const oneOf = (words: string) => ({ type: 'string', enum: words.split(' ') })
const listOf = (items: object) => ({ type: 'array', items })
const closed = (required: string, properties: Record<string, object>) => ({
  type: 'object',
  required: required.split(' ').filter((name) => name !== ''),
  properties,
  additionalProperties: false,
})

const chain = oneOf('base ethereum solana')
const crypto = oneOf('usdb usdc usdt dai pyusd eurc')
const transactionStatus = oneOf(
  'awaiting_funds in_review funds_received payment_submitted payment_processed canceled error undeliverable returned refunded',
)
const rejectionReasons = listOf(closed('', { developer_reason: text, reason: text, created_at: text }))
const capability = oneOf('pending active inactive rejected')

const receipt = closed('initial_amount developer_fee exchange_fee subtotal_amount', {
  initial_amount: money,
  developer_fee: money,
  exchange_fee: money,
  developer_exchange_fee: closed('amount currency', { amount: money, currency: crypto }),
  subtotal_amount: money,
  gas_fee: money,
  final_amount: money,
  exchange_rate: text,
  url: text,
})

export const REAL_BANK_SCHEMAS = {
  Customer: closed('id status created_at updated_at', {
    id,
    // in the examples, though not in the schema
    type: oneOf('individual business'),
    first_name: text,
    last_name: text,
    email: text,
    status: oneOf(
      'active awaiting_questionnaire awaiting_ubo incomplete not_started offboarded paused rejected under_review',
    ),
    capabilities: closed('', {
      payin_crypto: capability,
      payout_crypto: capability,
      payin_fiat: capability,
      payout_fiat: capability,
    }),
    future_requirements_due: listOf(oneOf('id_verification')),
    requirements_due: listOf(oneOf('external_account id_verification')),
    created_at: moment,
    updated_at: moment,
    rejection_reasons: rejectionReasons,
    has_accepted_terms_of_service: flag,
    endorsements: listOf(
      closed('name status', {
        name: oneOf('base sepa spei cards faster_payments'),
        status: oneOf('incomplete approved revoked'),
        additional_requirements: listOf(
          oneOf('kyc_approval tos_acceptance kyc_with_proof_of_address tos_v2_acceptance'),
        ),
        requirements: closed('complete pending missing issues', {
          complete: listOf(text),
          pending: listOf(text),
          missing: { type: 'object' },
          issues: { type: 'array' },
        }),
      }),
    ),
  }),

  KycLink: closed('id customer_id kyc_link tos_link kyc_status tos_status', {
    id: text,
    type: oneOf('individual business'),
    // null until verification is approved, as several integrations have found
    customer_id: { type: ['string', 'null'] },
    full_name: text,
    email: text,
    kyc_link: text,
    kyc_status: oneOf(
      'not_started incomplete awaiting_questionnaire awaiting_ubo under_review approved rejected paused offboarded',
    ),
    rejection_reasons: rejectionReasons,
    tos_link: text,
    tos_status: oneOf('pending approved'),
    created_at: moment,
  }),

  Wallet: closed('id chain address', { id, chain, address: text, created_at: moment, updated_at: moment }),

  WalletWithBalances: closed('id chain balances', {
    id,
    chain,
    address: text,
    created_at: moment,
    updated_at: moment,
    balances: listOf(
      closed('balance currency chain', {
        balance: money,
        currency: oneOf('usdb usdc usdt dai usd pyusd'),
        chain,
        contract_address: text,
      }),
    ),
  }),

  WalletHistoryEntry: closed('amount created_at customer_id source destination', {
    amount: money,
    developer_fee: money,
    created_at: moment,
    updated_at: moment,
    customer_id: id,
    source: closed('', { payment_rail: oneOf('base faster_payments'), currency: oneOf('usdc gbp') }),
    destination: closed('', {
      payment_rail: oneOf('base faster_payments'),
      currency: oneOf('usdc gbp'),
    }),
  }),

  VirtualAccount: closed('id status customer_id source_deposit_instructions destination', {
    id,
    status: oneOf('activated deactivated'),
    developer_fee_percent: text,
    customer_id: id,
    created_at: moment,
    source_deposit_instructions: closed('', {
      payment_rails: listOf(oneOf('ach_push pix sepa spei wire faster_payments')),
      currency: oneOf('usd eur mxn gbp'),
      bank_name: text,
      bank_address: text,
      bank_beneficiary_name: text,
      account_holder_name: text,
      // pounds
      sort_code: { type: 'string', pattern: '^\\d{6}$' },
      account_number: { type: 'string', pattern: '^\\d{8}$' },
    }),
    destination: closed('currency payment_rail', {
      currency: crypto,
      payment_rail: chain,
      address: text,
      bridge_wallet_id: id,
    }),
  }),

  VirtualAccountEvent: closed('id type deposit_id amount created_at', {
    id,
    type: oneOf(
      'funds_scheduled funds_received payment_submitted payment_processed in_review refund microdeposit account_update deactivation activation',
    ),
    customer_id: id,
    virtual_account_id: id,
    amount: money,
    currency: oneOf('usdb usdc usdt dai usd pyusd gbp'),
    developer_fee_amount: money,
    exchange_fee_amount: money,
    subtotal_amount: money,
    gas_fee: money,
    deposit_id: text,
    destination_payment_rail: text,
    source: closed('payment_rail', { payment_rail: oneOf('sepa spei faster_payments') }),
    created_at: moment,
    receipt,
  }),

  LiquidationAddress: closed(
    'id currency chain external_account_id address destination_payment_rail destination_currency customer_id created_at updated_at',
    {
      id,
      currency: crypto,
      chain: text,
      customer_id: id,
      // there is none behind an address that feeds a wallet
      external_account_id: { type: 'null' },
      destination_payment_rail: text,
      destination_currency: text,
      destination_address: text,
      address: text,
      return_address: text,
      state: oneOf('active deactivated'),
      created_at: moment,
      updated_at: moment,
    },
  ),

  Drain: closed('id customer_id liquidation_address_id amount currency state', {
    id,
    amount: money,
    customer_id: id,
    liquidation_address_id: id,
    currency: crypto,
    state: transactionStatus,
    created_at: moment,
    updated_at: moment,
    deposit_tx_hash: text,
    from_address: text,
    source_payment_rail: text,
    destination: closed('payment_rail currency', { payment_rail: chain, currency: crypto, to_address: text }),
    destination_tx_hash: text,
    receipt: closed(
      'initial_amount developer_fee exchange_rate subtotal_amount converted_amount outgoing_amount destination_currency',
      {
        initial_amount: money,
        developer_fee: money,
        subtotal_amount: money,
        converted_amount: money,
        exchange_rate: text,
        outgoing_amount: money,
        destination_currency: crypto,
        url: text,
      },
    ),
  }),

  ExternalAccount: closed('id account_owner_name currency customer_id account_type created_at updated_at active', {
    id,
    customer_id: text,
    currency: oneOf('usd eur mxn gbp'),
    bank_name: { type: ['string', 'null'] },
    account_name: { type: 'null' },
    account_owner_name: text,
    account_owner_type: { enum: ['individual', 'business', null] },
    account_type: oneOf('us iban clabe pix unknown gb'),
    first_name: { type: ['string', 'null'] },
    last_name: { type: ['string', 'null'] },
    business_name: { type: ['string', 'null'] },
    last_4: text,
    // pounds; the account number is write-only
    account: closed('sort_code last_4', { sort_code: { type: 'string', pattern: '^\\d{6}$' }, last_4: text }),
    account_verification: closed('gb requested_at completed_at', {
      gb: closed('match_level reason_code validated_account_owner_name', {
        match_level: oneOf('pending match close_match no_match'),
        reason_code: { type: ['string', 'null'] },
        validated_account_owner_name: { type: ['string', 'null'] },
      }),
      requested_at: moment,
      completed_at: { type: ['string', 'null'] },
    }),
    created_at: moment,
    updated_at: moment,
    active: flag,
  }),

  Transfer: closed(
    'id amount developer_fee currency on_behalf_of source destination state receipt created_at updated_at',
    {
      id,
      client_reference_id: { type: 'string', minLength: 1, maxLength: 256 },
      amount: money,
      currency: oneOf('usd eur mxn'),
      on_behalf_of: text,
      developer_fee: money,
      source: closed('currency payment_rail', {
        currency: crypto,
        payment_rail: oneOf('bridge_wallet'),
        bridge_wallet_id: id,
        from_address: text,
      }),
      destination: closed('currency payment_rail', {
        // pounds, and the fixed output of the guide to it
        currency: oneOf('gbp'),
        payment_rail: oneOf('faster_payments'),
        amount: money,
        external_account_id: id,
        reference: text,
        trace_number: { type: 'string', pattern: '^[0-9]{15}$' },
      }),
      state: oneOf(
        'awaiting_funds underfunded in_review funds_received payment_submitted payment_processed canceled undeliverable returned refunded pending',
      ),
      receipt,
      additional_funding_instructions: closed('amount destination', {
        amount: money,
        destination: closed('payment_rail', {
          payment_rail: oneOf('bridge_transfer'),
          currency: crypto,
          bridge_transfer_id: id,
        }),
      }),
      return_details: closed('', { reason: text, refund_reference_id: text }),
      created_at: moment,
      updated_at: moment,
    },
  ),

  Webhook: closed('id url status public_key', {
    id: { type: 'string', pattern: '^wep_[a-f0-9]+$' },
    url: text,
    status: oneOf('active disabled deleted'),
    public_key: text,
    event_categories: listOf(text),
  }),

  WebhookEvent: closed(
    'api_version event_id event_developer_id event_category event_type event_object_id event_object event_object_changes event_created_at',
    {
      api_version: oneOf('v0'),
      event_id: id,
      event_developer_id: text,
      event_sequence: whole,
      event_category: oneOf(
        'customer kyc_link liquidation_address.drain static_memo.activity transfer virtual_account.activity card_account card_transaction card_withdrawal posted_card_account_transaction',
      ),
      event_type: { type: 'string', pattern: '^[a-z_.]+\\.(created|updated|updated\\.status_transitioned|deleted)$' },
      event_object_id: id,
      event_object_status: text,
      event_object: { type: 'object' },
      event_object_changes: { type: 'object' },
      event_created_at: moment,
    },
  ),

  DeliveryLog: closed('status event_id response_body created_at', {
    status: whole,
    event_id: id,
    response_body: text,
    created_at: moment,
  }),

  /** Open: the examples carry further fields. */
  Error: {
    type: 'object',
    required: ['code', 'message'],
    properties: {
      code: { type: 'string', minLength: 1, maxLength: 256 },
      message: { type: 'string', minLength: 1, maxLength: 512 },
      source: closed('location key', { location: oneOf('path query body header'), key: text }),
    },
  },
} as const

/** What is wrong with a body, one line each; nothing when it agrees with the real bank's document. */
export function disagreements(name: keyof typeof REAL_BANK_SCHEMAS, body: unknown): string[] {
  const schema = REAL_BANK_SCHEMAS[name] as object
  if (Check(schema, body)) return []
  return Errors(schema, body)[1].map((error) => `${error.instancePath} ${error.message}`)
}
