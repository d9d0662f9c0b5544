import type {
  Account,
  ActivityDetail,
  ActivityEntry,
  ApiKey,
  ApiKeyCreated,
  Balance,
  ChangeSettingsRequest,
  Compliance,
  DoorCodeRequest,
  DoorCodeSent,
  Environment,
  Funding,
  GoLive,
  Invitation,
  KeyChange,
  KeyRotation,
  Member,
  MemberChange,
  MemberRole,
  NewApiKey,
  PayoutPause,
  RecipientSummary,
  SandboxReset,
  Settings,
  TopUp,
} from '@kestrel/contract'

import { address, call, type List } from './client.ts'

const of = (environment: Environment) => ({ query: { environment } })

export const readAccount = (environment: Environment) => call<Account>('/v1/account', of(environment))
export const readBalance = (environment: Environment) => call<Balance>('/v1/balance', of(environment))
export const readFunding = (environment: Environment) => call<Funding>('/v1/funding', of(environment))
export const readCompliance = (environment: Environment) => call<Compliance>('/v1/compliance', of(environment))
export const readGoLive = (environment: Environment) => call<GoLive>('/v1/go-live', of(environment))
export const listRecipients = (environment: Environment) =>
  call<List<RecipientSummary>>('/v1/recipients', of(environment))

export const startVerification = (environment: Environment) =>
  call<Compliance>('/v1/compliance/verification', { method: 'POST', ...of(environment) })

export const resetSandbox = () => call<SandboxReset>('/v1/sandbox/reset', { method: 'POST' })
export const addTestMoney = (body: { usdc: string; source: 'bank' | 'chain' }) =>
  call<TopUp>('/v1/sandbox/top-up', { method: 'POST', query: { environment: 'sandbox' }, body })

export const pausePayouts = (environment: Environment) =>
  call<PayoutPause>('/v1/payouts/pause', { method: 'POST', ...of(environment) })
export const resumePayouts = (environment: Environment, code: string | undefined) =>
  call<PayoutPause>('/v1/payouts/resume', {
    method: 'POST',
    ...of(environment),
    headers: code === undefined ? {} : { 'Confirm-Code': code },
  })

export const listKeys = () => call<List<ApiKey>>('/v1/keys')
/** Asks for the code that guards an action; the action then carries it as `confirm_code`. */
export const askForDoorCode = (body: DoorCodeRequest) =>
  call<DoorCodeSent>('/v1/confirm-codes', { method: 'POST', body })
const confirmed = (code: string | undefined) => (code === undefined ? {} : { confirm_code: code })

export const createKey = (body: Omit<NewApiKey, 'confirm_code'>, code: string | undefined) =>
  call<ApiKeyCreated>('/v1/keys', { method: 'POST', body: { ...body, ...confirmed(code) } })
export const changeKey = (id: string, body: Omit<KeyChange, 'confirm_code'>, code: string | undefined) =>
  call<ApiKey>(`/v1/keys/${id}`, { method: 'PATCH', body: { ...body, ...confirmed(code) } })
export const rotateKey = (id: string, grace: KeyRotation['grace_seconds'], code: string | undefined) =>
  call<ApiKeyCreated>(`/v1/keys/${id}/rotate`, { method: 'POST', body: { grace_seconds: grace, ...confirmed(code) } })
export const revokeKey = (id: string) => call<{ id: string; revoked: true }>(`/v1/keys/${id}`, { method: 'DELETE' })

/** With what each may pay in this environment. */
export const listMembers = (environment: Environment) => call<List<Member>>('/v1/members', { query: { environment } })
export const inviteMember = (body: { email: string; name?: string; role: MemberRole }, code: string | undefined) =>
  call<Invitation>('/v1/members', { method: 'POST', body: { ...body, ...confirmed(code) } })
export const changeMember = (id: string, body: { role: MemberRole }, code: string | undefined) =>
  call<Member>(`/v1/members/${id}`, { method: 'PATCH', body: { ...body, ...confirmed(code) } })
export const limitMember = (
  environment: Environment,
  id: string,
  { body, code }: { body: Omit<MemberChange, 'confirm_code'>; code: string | undefined },
) =>
  call<Member>(`/v1/members/${id}`, {
    method: 'PATCH',
    query: { environment },
    body: { ...body, ...confirmed(code) },
  })
export const listInvitations = () => call<List<Invitation>>('/v1/invitations')
export const sendInvitation = (id: string) => call<Invitation>(`/v1/invitations/${id}/send`, { method: 'POST' })
export const withdrawInvitation = (id: string) =>
  call<{ id: string; withdrawn: true }>(`/v1/invitations/${id}`, { method: 'DELETE' })
export const removeMember = (id: string, code: string | undefined) =>
  call<{ id: string; removed: true }>(`/v1/members/${id}`, {
    method: 'DELETE',
    headers: code === undefined ? {} : { 'Confirm-Code': code },
  })

export interface ActivityFilter {
  readonly by?: string
  readonly status_class?: string
  readonly via?: string
  readonly only?: 'changes'
  readonly in_environment?: Environment
  readonly from?: string
  readonly to?: string
  readonly hide?: 'log_reads'
  readonly q?: string
}

export const listActivity = (filter: ActivityFilter, before?: string) =>
  call<List<ActivityEntry>>('/v1/activity', { query: { limit: ACTIVITY_PAGE, ...filter, before } })

export const readActivity = (environment: Environment, id: string) =>
  call<ActivityDetail>(`/v1/activity/${id}`, of(environment))

export const ACTIVITY_PAGE = 100

export const activityExportAddress = (filter: ActivityFilter) => address('/v1/activity/export.csv', { ...filter })

export const readSettings = () => call<Settings>('/v1/settings')
export const changeSettings = (body: ChangeSettingsRequest) => call<Settings>('/v1/settings', { method: 'PATCH', body })
export const putLogo = (file: Blob) => call<Settings>('/v1/settings/logo', { method: 'PUT', file })
export const removeLogo = () => call<Settings>('/v1/settings/logo', { method: 'DELETE' })
