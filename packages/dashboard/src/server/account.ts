import type { Account, Balance, Compliance, Environment, Funding, RecipientSummary } from '@kestrel/contract'

import { address, call } from './client.ts'
import type {
  Activity,
  Grace,
  Key,
  KeyCreated,
  List,
  Role,
  Settings,
  SettingsChange,
  TeamMember,
  TopUp,
} from './shapes.ts'

const of = (environment: Environment) => ({ query: { environment } })

export const readAccount = (environment: Environment) => call<Account>('/v1/account', of(environment))
export const readBalance = (environment: Environment) => call<Balance>('/v1/balance', of(environment))
export const readFunding = (environment: Environment) => call<Funding>('/v1/funding', of(environment))
export const readCompliance = (environment: Environment) => call<Compliance>('/v1/compliance', of(environment))
export const listRecipients = (environment: Environment) =>
  call<List<RecipientSummary>>('/v1/recipients', of(environment))

export const startVerification = (environment: Environment) =>
  call<Compliance>('/v1/compliance/verification', { method: 'POST', ...of(environment) })

export const addTestMoney = (body: { usdc: string; source: 'bank' | 'chain' }) =>
  call<TopUp>('/v1/sandbox/top-up', { method: 'POST', query: { environment: 'sandbox' }, body })

export const listKeys = () => call<List<Key>>('/v1/keys')
export const createKey = (body: { environment: Environment; label?: string }) =>
  call<KeyCreated>('/v1/keys', { method: 'POST', body })
export const rotateKey = (id: string, grace: Grace) =>
  call<KeyCreated>(`/v1/keys/${id}/rotate`, { method: 'POST', body: { grace_seconds: grace } })
export const revokeKey = (id: string) => call<{ id: string; revoked: true }>(`/v1/keys/${id}`, { method: 'DELETE' })

export const listMembers = () => call<List<TeamMember>>('/v1/members')
export const inviteMember = (body: { email: string; name?: string; role: Role }) =>
  call<TeamMember>('/v1/members', { method: 'POST', body })
export const changeMember = (id: string, body: { role: Role }) =>
  call<TeamMember>(`/v1/members/${id}`, { method: 'PATCH', body })
export const removeMember = (id: string) =>
  call<{ id: string; removed: true }>(`/v1/members/${id}`, { method: 'DELETE' })

export interface ActivityFilter {
  readonly by?: string
  readonly status_class?: string
  readonly via?: string
  readonly only?: 'changes'
  readonly in_environment?: Environment
  readonly from?: string
  readonly to?: string
  readonly hide?: 'log_reads'
}

export const listActivity = (filter: ActivityFilter, before?: string) =>
  call<List<Activity>>('/v1/activity', { query: { limit: ACTIVITY_PAGE, ...filter, before } })

export const ACTIVITY_PAGE = 100

export const activityExportAddress = (filter: ActivityFilter) => address('/v1/activity/export.csv', { ...filter })

export const readSettings = () => call<Settings>('/v1/settings')
export const changeSettings = (body: SettingsChange) => call<Settings>('/v1/settings', { method: 'PATCH', body })
export const putLogo = (file: Blob) => call<Settings>('/v1/settings/logo', { method: 'PUT', file })
export const removeLogo = () => call<Settings>('/v1/settings/logo', { method: 'DELETE' })
