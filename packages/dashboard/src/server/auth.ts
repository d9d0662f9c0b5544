import type { AuthOptions, CodeSent, OwnSession, PublicPartner, Session } from '@kestrel/contract'

import { call, type List } from './client.ts'

const bySlug = (slug: string | undefined) => (slug === undefined ? {} : { partner: slug })

export const readAuthOptions = () => call<AuthOptions>('/v1/auth/options')

export const readPublicPartner = (slug: string) =>
  call<PublicPartner>(`/v1/public/partners/${encodeURIComponent(slug)}`)

export const askForCode = (email: string, slug: string | undefined) =>
  call<CodeSent>('/v1/auth/code', { method: 'POST', body: { email, ...bySlug(slug) } })

export const signUp = (body: { email: string; name?: string; business_name: string }) =>
  call<CodeSent>('/v1/auth/sign-up', { method: 'POST', body })

/** `answer` says which business to open when the code fits several. */
export const signIn = (
  email: string,
  code: string,
  answer: { readonly partner?: string | undefined; readonly accept?: string; readonly decline?: string },
) => call<Session>('/v1/auth/session', { method: 'POST', body: { email, code, ...answer } })

export const acceptInvitation = (id: string) => call<Session>(`/v1/auth/invitations/${id}/accept`, { method: 'POST' })

export const declineInvitation = (id: string) =>
  call<{ id: string; declined: true }>(`/v1/auth/invitations/${id}/decline`, { method: 'POST' })

export const readSession = () => call<Session>('/v1/auth/session')

export const chooseBusiness = (slug: string) =>
  call<Session>('/v1/auth/session', { method: 'PATCH', body: { partner: slug } })

export const signOut = () => call<{ signed_out: true }>('/v1/auth/session', { method: 'DELETE' })

export const listDevices = () => call<List<OwnSession>>('/v1/auth/sessions')

export const signOutDevice = (id: string) =>
  call<{ id: string; revoked: true }>(`/v1/auth/sessions/${id}`, { method: 'DELETE' })
