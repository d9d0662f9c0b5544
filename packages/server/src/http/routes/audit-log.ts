// The audit log with its hashes, its signed heads, and the keys that verify them.
import { AUDIT_CHAINS, AuditHeadList, AuditLog, SigningKeyList } from '@kestrel/contract'
import { type Static, Type } from 'typebox'

import { asKept } from '../../domain/audit/head-file.ts'
import { publicKeys } from '../../domain/audit/platform-keys.ts'
import { listSignedHeads, readAuditLog } from '../../domain/audit/read-audit-log.ts'
import { callerOf, scopeOf } from '../access/authenticate.ts'
import { EnvironmentQuery, operationSchema } from '../access/operation.ts'
import { costOfPage } from '../access/route-cost.ts'
import { presentAuditLog, presentSigningKey } from '../present/audit-log.ts'
import { presentList } from '../present/lists.ts'
import type { RouteContext } from './route-context.ts'

const MOST_LINKS = 1_000
const MOST_HEADS = 400

const ChainQuery = {
  ...EnvironmentQuery.properties,
  chain: Type.Optional(
    Type.Unsafe<(typeof AUDIT_CHAINS)[number]>({
      type: 'string',
      enum: [...AUDIT_CHAINS],
      'x-rule': 'sandbox, live or account',
      description: 'Which chain: by default that of the environment. `account` has what is about neither.',
    }),
  ),
}
const limit = (most: number) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: most,
      'x-rule': `a whole number from 1 to ${most}`,
      description: `At most ${most}.`,
    }),
  )
const LogQuery = Type.Object(
  {
    ...ChainQuery,
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        'x-rule': 'a position of the chain',
        description: 'The position of the last entry that you have; 0 by default.',
      }),
    ),
    limit: limit(MOST_LINKS),
  },
  { additionalProperties: false },
)
const HeadsQuery = Type.Object(
  {
    ...ChainQuery,
    before: Type.Optional(
      Type.String({
        format: 'date',
        pattern: '^[1-9]',
        'x-rule': 'a day, like 2026-11-01',
        description: 'Heads of days (UTC) before this one.',
      }),
    ),
    limit: limit(MOST_HEADS),
  },
  { additionalProperties: false },
)

export function addAuditLogRoutes(context: RouteContext): void {
  addLog(context)
  addHeads(context)
  addKeys(context)
}

function addLog({ app, deps, publicUrl }: RouteContext): void {
  app.get<{ Querystring: Static<typeof LogQuery> }>('/v1/activity/chain', {
    config: { auth: 'key', action: 'activity.chain', line: 'costly' },
    schema: operationSchema(
      {
        id: 'readAuditLog',
        tag: 'Account',
        summary: 'Read the activity with its hashes',
        description:
          'Entries in the order of their chain, each with its hash, and where the chain ends, signed. With it anybody can verify that no entry was changed, removed, put in or moved: the SDK has `verifyAuditLog`, and docs/audit-log.md says what is hashed. An entry appears here some seconds after it was written.',
        query: LogQuery,
        ok: { 200: { schema: AuditLog, description: 'A part of the chain.' } },
        errors: ['invalid_request'],
        curl: (base) => `curl "${base}/v1/activity/chain?limit=100" \\\n  -H "Authorization: Bearer $KEY"`,
      },
      publicUrl,
    ),
    handler: async (request, reply) => {
      const { chain = scopeOf(request).environment, after = 0, limit: most = MOST_LINKS } = request.query
      app.chargeMore(request, reply, costOfPage(most))
      const partnerId = callerOf(request).id
      const page = await readAuditLog(deps, { partnerId, chain }, { after, limit: most })
      return presentAuditLog({ partner_id: partnerId, chain }, page)
    },
  })
}

function addHeads({ app, deps, publicUrl }: RouteContext): void {
  app.get<{ Querystring: Static<typeof HeadsQuery> }>('/v1/activity/heads', {
    config: { auth: 'key', action: 'activity.heads' },
    schema: operationSchema(
      {
        id: 'listAuditHeads',
        tag: 'Account',
        summary: 'List the signed heads of the activity',
        description:
          'Where a chain ended, signed once a day (UTC) if it had grown. They are mailed with each invoice as well. A head that you have kept proves every entry up to its position.',
        query: HeadsQuery,
        ok: { 200: { schema: AuditHeadList, description: 'The newest first.' } },
        errors: ['invalid_request'],
        curl: (base) => `curl "${base}/v1/activity/heads?limit=10" \\\n  -H "Authorization: Bearer $KEY"`,
      },
      publicUrl,
    ),
    handler: async (request) => {
      const { chain = scopeOf(request).environment, before = null, limit: most = MOST_HEADS } = request.query
      const partnerId = callerOf(request).id
      const heads = await listSignedHeads(deps, { partnerId, chain }, { before, limit: most })
      return presentList(heads.map((head) => asKept(partnerId, head)))
    },
  })
}

const KEYS_AT = '/.well-known/kestrel-signing-keys'

function addKeys({ app, deps, publicUrl }: RouteContext): void {
  app.get(KEYS_AT, {
    config: { auth: 'none' },
    schema: operationSchema(
      {
        id: 'listSigningKeys',
        tag: 'Service',
        summary: 'List the public keys of this service',
        description:
          'Verifies the signed heads of the audit log. Keys of earlier times stay in the list: what they signed stays verifiable. Keep a copy where the operator cannot change it.',
        auth: 'none',
        ok: { 200: { schema: SigningKeyList, description: 'The one that signs now first.' } },
        errors: [],
        curl: (base) => `curl ${base}${KEYS_AT}`,
      },
      publicUrl,
    ),
    handler: async (_request, reply) => {
      void reply.header('cache-control', 'public, max-age=300')
      return presentList((await publicKeys(deps)).map(presentSigningKey))
    },
  })
}
