// What the account is, holds and did.
import type { ExportedLog } from '../audit-log.ts'
import type { Operations } from '../generated/operations.ts'
import type {
  Account as AccountAnswer,
  ActivityEntry,
  ActivityList,
  ApiKeyList,
  AuditHeadList,
  AuditLog,
  Balance as BalanceAnswer,
  Compliance as ComplianceAnswer,
  Funding as FundingAnswer,
  GoLive as GoLiveAnswer,
  InvitationList,
  MemberList,
  Quote,
  QuoteRequest,
  RecipientList,
  Settings as SettingsAnswer,
} from '../generated/types.ts'
import { Pages } from '../pages.ts'
import type { CallOptions, Transport } from '../transport.ts'

class Resource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }
}

export class Quotes extends Resource {
  /** What a payout would cost now. It reserves nothing. */
  create(body: QuoteRequest, options?: CallOptions): Promise<Quote> {
    return this.transport.json('POST /v1/quotes', { body, isRepeatable: true }, options)
  }
}

export class Balance extends Resource {
  retrieve(options?: CallOptions): Promise<BalanceAnswer> {
    return this.transport.json('GET /v1/balance', {}, options)
  }
}

export class Account extends Resource {
  retrieve(options?: CallOptions): Promise<AccountAnswer> {
    return this.transport.json('GET /v1/account', {}, options)
  }
}

export class Compliance extends Resource {
  retrieve(options?: CallOptions): Promise<ComplianceAnswer> {
    return this.transport.json('GET /v1/compliance', {}, options)
  }

  /** Begins verification, or answers how far it is. */
  startVerification(options?: CallOptions): Promise<Operations['POST /v1/compliance/verification']['answer']> {
    return this.transport.json('POST /v1/compliance/verification', {}, options)
  }
}

export class GoLive extends Resource {
  retrieve(options?: CallOptions): Promise<GoLiveAnswer> {
    return this.transport.json('GET /v1/go-live', {}, options)
  }
}

export class Funding extends Resource {
  /** How to top the wallet up, and its latest deposits. */
  retrieve(options?: CallOptions): Promise<FundingAnswer> {
    return this.transport.json('GET /v1/funding', {}, options)
  }
}

type Deposit = FundingAnswer['deposits'][number]

export class Deposits extends Resource {
  /** The latest that arrived in the wallet, the newest first. */
  list(options?: CallOptions): Pages<Deposit> {
    return new Pages(async () => ({ data: (await this.transport.json('GET /v1/funding', {}, options)).deposits }))
  }
}

export class Settings extends Resource {
  retrieve(options?: CallOptions): Promise<SettingsAnswer> {
    return this.transport.json('GET /v1/settings', {}, options)
  }
}

export class Recipients extends Resource {
  /** Who was paid in the last 90 days. */
  list(options?: CallOptions): Pages<RecipientList['data'][number], RecipientList> {
    return new Pages(() => this.transport.json('GET /v1/recipients', {}, options))
  }
}

type ActivityQuery = NonNullable<Operations['GET /v1/activity']['query']>

export class Activity extends Resource {
  /** Requests on the account, the newest first. */
  list({ before, ...query }: ActivityQuery = {}, options?: CallOptions): Pages<ActivityEntry> {
    return new Pages(async ({ limit = query.limit ?? 200, cursor = before }) => {
      const asked = { ...query, limit, ...(cursor === undefined ? {} : { before: cursor }) }
      const { data }: ActivityList = await this.transport.json('GET /v1/activity', { query: asked }, options)
      return { data, has_more: data.length === limit, next_cursor: data.at(-1)?.id ?? null }
    })
  }

  /** One request, with what was asked and answered. */
  retrieve(id: string, options?: CallOptions): Promise<Operations['GET /v1/activity/{id}']['answer']> {
    return this.transport.json('GET /v1/activity/{id}', { path: { id } }, options)
  }

  /** A part of a chain, with its hashes. */
  chain(
    query: NonNullable<Operations['GET /v1/activity/chain']['query']> = {},
    options?: CallOptions,
  ): Promise<Operations['GET /v1/activity/chain']['answer']> {
    return this.transport.json('GET /v1/activity/chain', { query }, options)
  }

  /** A whole chain, for `verifyAuditLog`: page by page, which may be many. That of the key's environment unless one is named. */
  async exportChain(wanted?: AuditLog['chain'], options?: CallOptions): Promise<ExportedLog> {
    const asked = wanted === undefined ? {} : { chain: wanted }
    const { partner_id, chain, start, ...first } = await this.chain(asked, options)
    let page: Pick<AuditLog, 'data' | 'has_more' | 'head'> = first
    const data = [...page.data]
    // A page without entries that says there are more: they are missing, which the verifier finds by the head.
    while (page.has_more && page.data.length > 0) {
      page = await this.chain({ chain, after: data.at(-1)!.position }, options)
      data.push(...page.data)
    }
    return { partner_id, chain, start, data, head: page.head }
  }

  /** Where a chain ended, signed daily; the newest first. */
  heads(
    query: NonNullable<Operations['GET /v1/activity/heads']['query']> = {},
    options?: CallOptions,
  ): Promise<AuditHeadList> {
    return this.transport.json('GET /v1/activity/heads', { query }, options)
  }

  exportCsv(
    query: NonNullable<Operations['GET /v1/activity/export.csv']['query']> = {},
    options?: CallOptions,
  ): Promise<string> {
    return this.transport.text('GET /v1/activity/export.csv', { query }, options)
  }
}

export class Keys extends Resource {
  list(options?: CallOptions): Pages<ApiKeyList['data'][number], ApiKeyList> {
    return new Pages(() => this.transport.json('GET /v1/keys', {}, options))
  }
}

export class Members extends Resource {
  list(options?: CallOptions): Pages<MemberList['data'][number], MemberList> {
    return new Pages(() => this.transport.json('GET /v1/members', {}, options))
  }
}

export class Invitations extends Resource {
  list(options?: CallOptions): Pages<InvitationList['data'][number], InvitationList> {
    return new Pages(() => this.transport.json('GET /v1/invitations', {}, options))
  }
}
