// API keys: every member may list them; admins make, rotate and revoke them.
import {
  ApiKey,
  ApiKeyCreated as Created,
  ApiKeyList,
  ApiKeyRevoked,
  KeyChange,
  KeyRotation,
  NewApiKey,
} from '@kestrel/contract'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import { changeKey, findKeyWithRules, rulesOf } from '../../domain/api-keys/change-key.ts'
import { createKey } from '../../domain/api-keys/create-key.ts'
import { passDoor } from '../../domain/access/doors.ts'
import { doorToKeyChange, doorToNewKey, doorToRotation } from '../../domain/access/key-doors.ts'
import type { KeyNotice } from '../../domain/api-keys/key-notice.ts'
import { listKeys } from '../../domain/api-keys/list-keys.ts'
import { revokeOwnKey } from '../../domain/api-keys/revoke-key.ts'
import { changesBetween } from '../../domain/activity/audited.ts'
import { rotateKey } from '../../domain/api-keys/rotate-key.ts'
import { callerOf, sessionOf } from '../access/authenticate.ts'
import { confirmerOf } from '../access/confirmer.ts'
import { EnvironmentQuery, operationSchema } from '../access/operation.ts'
import { keyName, keyRulesIn, limitsIn, presentCreatedKey, presentKey } from '../present/key.ts'
import { presentList } from '../present/lists.ts'
import { sessionSample } from '../access/session-samples.ts'
import { addRead } from './add-read.ts'
import type { RouteContext } from './route-context.ts'

const BY_ADMINS = { tag: 'Dashboard', auth: 'session', needs: 'admin', query: EnvironmentQuery } as const
const ACCESS = { auth: 'session', needs: 'admin' } as const
const BODY_ERRORS = ['invalid_json', 'invalid_request', 'body_too_large', 'unsupported_media_type'] as const
const CODE_ERRORS = ['confirm_code_required', 'code_not_accepted'] as const
const KeyId = Type.Object({ id: Type.String({ description: 'The id of the key, a UUID.' }) })

export function addKeyRoutes(context: RouteContext): void {
  addRead(context, {
    tag: 'Access',
    url: '/v1/keys',
    id: 'listKeys',
    action: 'keys.list',
    summary: 'List API keys',
    description: 'The keys of both environments, never their secrets. At most five are active in each.',
    schema: ApiKeyList,
    answer: async (request) => presentList((await listKeys(context.deps, callerOf(request).id)).map(presentKey)),
  })
  addCreate(context)
  addChange(context)
  addRotate(context)
  addRevoke(context)
}

function noticeOf(request: FastifyRequest, publicUrl: string): KeyNotice {
  const { email: by, memberId } = sessionOf(request)
  return { by, memberId, keysUrl: `${publicUrl}/dashboard/keys` }
}

function addCreate({ app, deps, publicUrl }: RouteContext): void {
  app.post<{ Body: NewApiKey }>('/v1/keys', {
    config: { ...ACCESS, action: 'key.create' },
    schema: operationSchema(
      {
        ...BY_ADMINS,
        id: 'createKey',
        summary: 'Create an API key',
        description:
          'The secret is shown this once. Without `scopes` it may do everything, in live except `webhooks`. Limits in pounds hold per London day and month. A live key needs an approved business and a mailed code. Every admin gets a mail.',
        body: NewApiKey,
        ok: { 201: { schema: Created, description: 'The key, with its secret.' } },
        errors: [...BODY_ERRORS, ...CODE_ERRORS, 'key_limit_reached'],
        curl: (base) =>
          sessionSample(base, '/v1/keys', { method: 'POST', body: `'{"environment": "sandbox", "label": "orders"}'` }),
      },
      publicUrl,
    ),
    handler: async (request, reply) => {
      const { environment, label = null, confirm_code: code } = request.body
      const rules = keyRulesIn(request.body)
      const partner = callerOf(request)
      const door = await doorToNewKey(deps, partner, { environment, label, rules })
      await passDoor(deps, confirmerOf(request), { door, code })
      const notice = noticeOf(request, publicUrl)
      const key = await createKey(deps, { partner, environment, label, rules, notice })
      request.activityDetail = key.id
      const made = presentCreatedKey(key, { maxPerPayout: null, daily: null, monthly: null, ...rules })
      request.audited = { subject: keyName(key), changes: changesBetween({}, limitsIn(made)) }
      return reply.code(201).send(made)
    },
  })
}

function addChange({ app, deps, publicUrl }: RouteContext): void {
  app.patch<{ Body: KeyChange; Params: { id: string } }>('/v1/keys/:id', {
    config: { ...ACCESS, action: 'key.change' },
    schema: operationSchema(
      {
        ...BY_ADMINS,
        id: 'changeKey',
        summary: 'Change an API key',
        description:
          'What a key may be used for, from where and until when, and what it may pay. Narrowing counts at once, in every process: no payout above a new limit is made once this has answered. Giving a live key more than it has needs a mailed code. A limit counts the payouts that are made from the moment that the first limit of the key is set, those that failed or were cancelled excepted. Every admin gets a mail.',
        params: KeyId,
        body: KeyChange,
        ok: { 200: { schema: ApiKey, description: 'The key as it is now.' } },
        errors: [...BODY_ERRORS, ...CODE_ERRORS, 'not_found'],
        curl: (base) =>
          sessionSample(base, '/v1/keys/$KEY_ID', { method: 'PATCH', body: `'{"daily_gbp": "1000.00"}'` }),
      },
      publicUrl,
    ),
    handler: async (request) => {
      const { id: keyId } = request.params
      const { confirm_code: code, ...body } = request.body
      const changes = keyRulesIn(body)
      const partner = callerOf(request)
      const door = await doorToKeyChange(deps, partner, { keyId, changes })
      await passDoor(deps, confirmerOf(request), { door, code })
      const notice = noticeOf(request, publicUrl)
      const { before, key } = await changeKey(deps, { partner, keyId, changes, isConfirmed: door !== null, notice })
      request.activityDetail = `${keyId}: ${Object.keys(body).toSorted().join(', ')}`
      const [was, is] = [presentKey(before), presentKey(key)]
      request.audited = { subject: keyName(key), changes: changesBetween(limitsIn(was), limitsIn(is)) }
      return is
    },
  })
}

function addRotate({ app, deps, publicUrl }: RouteContext): void {
  app.post<{ Body: KeyRotation; Params: { id: string } }>('/v1/keys/:id/rotate', {
    config: { ...ACCESS, action: 'key.rotate' },
    schema: operationSchema(
      {
        ...BY_ADMINS,
        id: 'rotateKey',
        summary: 'Rotate an API key',
        description:
          'A new key with the same label and limits takes the place of this one, which works on for `grace_seconds` and then stops by itself. With five active keys the old one has to stop at once. A live key needs a mailed code.',
        params: KeyId,
        body: KeyRotation,
        ok: { 201: { schema: Created, description: 'The new key, with its secret.' } },
        errors: [...BODY_ERRORS, ...CODE_ERRORS, 'not_found', 'key_limit_reached'],
        curl: (base) =>
          sessionSample(base, '/v1/keys/$KEY_ID/rotate', { method: 'POST', body: `'{"grace_seconds": 86400}'` }),
      },
      publicUrl,
    ),
    handler: async (request, reply) => {
      const { id: keyId } = request.params
      const { grace_seconds: graceSeconds, confirm_code: code } = request.body
      const partner = callerOf(request)
      const door = await doorToRotation(deps, partner, { keyId, graceSeconds })
      await passDoor(deps, confirmerOf(request), { door, code })
      const key = await rotateKey(deps, { partner, keyId, graceSeconds, notice: noticeOf(request, publicUrl) })
      request.activityDetail = key.id
      request.audited = { subject: keyName(key), changes: [] }
      const limits = rulesOf(await findKeyWithRules(deps.db, partner.id, key.id, deps.clock.now()))
      return reply.code(201).send({ ...presentCreatedKey(key, limits), replaces: keyId })
    },
  })
}

function addRevoke({ app, deps, publicUrl }: RouteContext): void {
  app.delete<{ Params: { id: string } }>('/v1/keys/:id', {
    config: { ...ACCESS, action: 'key.revoke' },
    schema: operationSchema(
      {
        ...BY_ADMINS,
        id: 'revokeKey',
        summary: 'Revoke an API key',
        description: 'The next request with it is refused. Revoking twice has the effect of revoking once.',
        params: KeyId,
        ok: { 200: { schema: ApiKeyRevoked, description: 'The key no longer works.' } },
        errors: ['not_found', 'invalid_request'],
        curl: (base) => sessionSample(base, '/v1/keys/$KEY_ID', { method: 'DELETE' }),
      },
      publicUrl,
    ),
    handler: async (request): Promise<ApiKeyRevoked> => {
      const { id: keyId } = request.params
      const key = await revokeOwnKey(deps, { partner: callerOf(request), keyId, notice: noticeOf(request, publicUrl) })
      request.activityDetail = keyId
      request.audited = { subject: keyName(key), changes: [] }
      return { id: keyId, revoked: true }
    },
  })
}
