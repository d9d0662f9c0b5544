// A business's short name for addresses, made from its name.
import { randomHex } from '../../core/ids.ts'

const LONGEST = 34
const NUMBERED = 9

/** The dashboard has pages of its own under these names. */
const RESERVED: ReadonlySet<string> = new Set(
  `account activity admin api assets audit balance billing choose compliance dashboard developers docs fees funding
   help home invoices kestrel keys live login logs mailbox members new overview payouts quotes recipients sandbox
   security sessions settings sign-in sign-out sign-up signin signup start statement support team usage verification
   welcome`.split(/\s+/),
)

export const isReservedSlug = (slug: string): boolean => RESERVED.has(slug)

/** Candidates, to be tried in order until one is free. The last ones are hardly ever taken. */
export function slugCandidates(name: string): string[] {
  const base = slugFrom(name)
  const numbered = Array.from({ length: NUMBERED - 1 }, (_, index) => `${base}-${index + 2}`)
  const odd = Array.from({ length: 3 }, () => `${base.slice(0, 30)}-${randomHex(4)}`)
  return [...(RESERVED.has(base) ? [] : [base]), ...numbered, ...odd]
}

function slugFrom(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{Mark}+/gu, '')
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replaceAll(/^-+|-+$/g, '')
  return plain.length < 2 ? `business${plain === '' ? '' : `-${plain}`}` : plain
}
