// A business's own settings: its names, addresses and looks.
import { ChangeSettingsRequest, Settings } from '@kestrel/contract'
import type { FastifyInstance } from 'fastify'

import { AppError } from '../../core/errors.ts'
import { changesBetween } from '../../domain/activity/audited.ts'
import { doorToAddresses } from '../../domain/access/address-door.ts'
import { passDoor } from '../../domain/access/doors.ts'
import { type Logo, removeLogo, setLogo } from '../../domain/partners/logo.ts'
import { changeSettings } from '../../domain/partners/settings.ts'
import { callerOf, sessionOf } from '../access/authenticate.ts'
import { confirmerOf } from '../access/confirmer.ts'
import { EnvironmentQuery, type Operation, operationSchema } from '../access/operation.ts'
import { presentSettings, settingsIn } from '../present/settings.ts'
import { PICTURE } from '../access/route-cost.ts'
import { sessionSample } from '../access/session-samples.ts'
import { addRead } from './add-read.ts'
import type { RouteContext } from './route-context.ts'

const LARGEST_LOGO_BYTES = 200 * 1024
const IMAGE_TYPES = ['image/png', 'image/jpeg'] as const satisfies readonly Logo['type'][]

const SHARED = {
  tag: 'Dashboard',
  auth: 'session',
  needs: 'admin',
  query: EnvironmentQuery,
  ok: { 200: { schema: Settings, description: 'The settings as they are now.' } },
} as const satisfies Partial<Operation>

export async function addSettingsRoutes(context: RouteContext): Promise<void> {
  addRead(context, {
    tag: 'Account',
    url: '/v1/settings',
    id: 'readSettings',
    action: 'settings.read',
    summary: 'Read the settings',
    description: 'Names, addresses, looks, and when the balance counts as low. The same in both environments.',
    schema: Settings,
    answer: async (request) => presentSettings(callerOf(request), context.publicUrl),
  })
  addChange(context)
  addLogoRemoval(context)
  await context.app.register(async (scope) => addLogoUpload(scope, context))
}

function addChange({ app, deps, publicUrl }: RouteContext): void {
  app.patch<{ Body: ChangeSettingsRequest }>('/v1/settings', {
    config: { auth: 'session', needs: 'admin', action: 'settings.change' },
    schema: operationSchema(
      {
        ...SHARED,
        id: 'changeSettings',
        summary: 'Change the settings',
        description:
          'Fields that are left out stay as they are. Another billing or contact address needs a mailed code, and every admin gets a mail.',
        body: ChangeSettingsRequest,
        errors: [
          'invalid_json',
          'invalid_request',
          'confirm_code_required',
          'code_not_accepted',
          'body_too_large',
          'unsupported_media_type',
        ],
        curl: (base) => sessionSample(base, '/v1/settings', { method: 'PATCH', body: `'{"brand_color": "#2b4bd8"}'` }),
      },
      publicUrl,
    ),
    handler: async (request) => {
      const { confirm_code: code, ...body } = request.body
      const before = callerOf(request)
      const changes = settingsIn(body)
      await passDoor(deps, confirmerOf(request), { door: doorToAddresses(before, changes), code })
      const partner = await changeSettings(deps, before, { changes, by: sessionOf(request).email, publicUrl })
      request.activityDetail = Object.keys(body).toSorted().join(', ') || null
      const [was, is] = [presentSettings(before, publicUrl), presentSettings(partner, publicUrl)]
      request.audited = { subject: null, changes: changesBetween(was, is) }
      return is
    },
  })
}

function addLogoUpload(scope: FastifyInstance, { deps, publicUrl }: RouteContext): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser([...IMAGE_TYPES], { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  scope.addContentTypeParser('*', (_request, _payload, done) =>
    done(
      new AppError('unsupported_media_type', `Send the logo as ${IMAGE_TYPES.join(' or ')}, with that Content-Type.`),
    ),
  )
  scope.put('/v1/settings/logo', {
    config: { auth: 'session', needs: 'admin', action: 'logo.change', ...PICTURE },
    bodyLimit: LARGEST_LOGO_BYTES,
    schema: operationSchema(
      {
        ...SHARED,
        id: 'changeLogo',
        summary: 'Change the logo',
        description:
          'The bytes of a PNG or JPEG image, at most 200 KiB and 2,000 by 2,000 pixels. It is drawn anew, on white where it is transparent, at most 640 pixels wide and high.',
        bytes: IMAGE_TYPES,
        errors: ['invalid_request', 'body_too_large', 'unsupported_media_type', 'unavailable'],
        curl: (base) =>
          `${sessionSample(base, '/v1/settings/logo', { method: 'PUT' })} \\\n  -H "Content-Type: image/png" \\\n  --data-binary @logo.png`,
      },
      publicUrl,
    ),
    handler: async (request) => {
      const image = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const declared = (request.headers['content-type'] ?? '').toLowerCase()
      const type = IMAGE_TYPES.find((each) => declared.startsWith(each)) ?? 'image/png'
      return presentSettings(await setLogo(deps, callerOf(request).id, { image, type }), publicUrl)
    },
  })
}

function addLogoRemoval({ app, deps, publicUrl }: RouteContext): void {
  app.delete('/v1/settings/logo', {
    config: { auth: 'session', needs: 'admin', action: 'logo.remove' },
    schema: operationSchema(
      {
        ...SHARED,
        id: 'removeLogo',
        summary: 'Remove the logo',
        errors: ['invalid_request'],
        curl: (base) => sessionSample(base, '/v1/settings/logo', { method: 'DELETE' }),
      },
      publicUrl,
    ),
    handler: async (request) => presentSettings(await removeLogo(deps, callerOf(request).id), publicUrl),
  })
}
