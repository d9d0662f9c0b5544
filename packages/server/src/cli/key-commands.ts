import type { Command } from 'commander'

import { called } from '../domain/activity/audited.ts'
import { recordOperatorAction } from '../domain/activity/record-operator-action.ts'
import { createKey } from '../domain/api-keys/create-key.ts'
import { revokeKey } from '../domain/api-keys/revoke-key.ts'
import { findPartner } from '../domain/partners/find-partner.ts'
import type { CommandContext } from './command-context.ts'
import { withDeps } from './context.ts'
import { addKeyList } from './list-commands.ts'
import { requireEnvironment } from './options.ts'
import { print } from './print.ts'

const NOTE = 'Keep the secret now: it is stored as a hash and cannot be shown again.'

export function addKeyCommands(key: Command, context: CommandContext): void {
  key
    .command('create')
    .description('create a key; its secret is printed once')
    .requiredOption('--partner <slug>', 'whose key')
    .requiredOption('--environment <environment>', 'sandbox or live')
    .option('--label <label>', 'what it is for, at most 60 characters')
    .option('--json', 'print JSON')
    .action(async (options: { partner: string; environment: string; label?: string; json?: boolean }) => {
      const environment = requireEnvironment(options.environment)
      const created = await withDeps(context, async (deps) => {
        const partner = await findPartner(deps, options.partner)
        const result = await createKey(deps, { partner, environment, label: options.label ?? null })
        const detail = result.id
        const audited = { subject: result.label === null ? result.keyPrefix : called(result.label), changes: [] }
        await recordOperatorAction(deps, { partnerId: partner.id, environment, action: 'key.create', detail, audited })
        return result
      })
      const result = {
        id: created.id,
        environment,
        key_prefix: created.keyPrefix,
        label: created.label,
        created_at: created.createdAt.toISOString(),
        secret: created.secret,
        note: NOTE,
      }
      print(result, options, () => [created.secret, `id ${created.id}`, NOTE])
    })
  addKeyList(key, context)
  key
    .command('revoke <id>')
    .description('switch a key off at once')
    .option('--json', 'print JSON')
    .action(async (id: string, options: { json?: boolean }) => {
      await withDeps(context, async (deps) => {
        const partnerId = await revokeKey(deps, id.toLowerCase())
        await recordOperatorAction(deps, { partnerId, action: 'key.revoke', detail: id.toLowerCase() })
      })
      print({ id: id.toLowerCase(), revoked: true }, options, () => [`Revoked ${id}. It no longer authenticates.`])
    })
}
