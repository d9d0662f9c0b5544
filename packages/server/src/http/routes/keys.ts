import { ApiKeyList } from '@kestrel/contract'

import { listKeys } from '../../domain/api-keys/list-keys.ts'
import { callerOf } from '../authenticate.ts'
import { presentKey, presentList } from '../present/lists.ts'
import { addRead } from './add-read.ts'
import type { RouteContext } from './route-context.ts'

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
}
