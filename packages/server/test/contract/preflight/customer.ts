// A customer as the bank shows it, in its own words: the adapter's are for the business.
import { isJson } from '../../../src/rail/provider/json-words.ts'
import type { ProviderReply } from '../../../src/rail/provider/provider-client.ts'
import { refusalIn } from '../../../src/rail/provider/refusal-words.ts'
import { Missing } from './missing.ts'
import type { TalkingClient } from './talking-client.ts'

export interface Customer {
  readonly id: string
  readonly status: string
  /** The bank's word for each endorsement that it names. */
  readonly endorsements: ReadonlyMap<string, string>
}

export async function readCustomer(client: TalkingClient, id: string): Promise<Customer> {
  const reply = await client.call({ method: 'GET', path: `/customers/${encodeURIComponent(id)}` })
  if (reply.kind !== 'answered' || reply.status !== 200 || !isJson(reply.body)) {
    throw new Missing(`The bank does not show the customer ${id}: ${words(reply)}`)
  }
  const { status, endorsements } = reply.body
  const named = (Array.isArray(endorsements) ? endorsements : []).filter(isJson)
  return {
    id,
    status: typeof status === 'string' ? status : 'without a status',
    endorsements: new Map(named.map((each) => [String(each['name']), String(each['status'])])),
  }
}

export function isApproved({ status, endorsements }: Customer): boolean {
  return status === 'active' && (endorsements.get('base') ?? 'approved') === 'approved'
}

export function hasPounds(customer: Customer): boolean {
  return customer.endorsements.get('faster_payments') === 'approved'
}

export function words(reply: ProviderReply): string {
  if (reply.kind !== 'answered') return reply.reason
  if (!isJson(reply.body)) return `it answered ${reply.status}, and no JSON.`
  if (reply.status < 300) return `it answered ${reply.status}, and not with what was asked for.`
  const { code, message } = refusalIn(reply.body)
  return `it answered ${reply.status} (${code}): ${message}`
}
