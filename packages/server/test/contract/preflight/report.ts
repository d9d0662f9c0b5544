// What the preflight found, and how it is told.
import { CAPABILITIES, type Capability, NEEDED_TO_PAY } from './capabilities.ts'

export interface Finding {
  readonly capability: Capability
  readonly verdict: 'there' | 'missing' | 'not looked at'
  /** What it is, or what is wrong with it, in a sentence. */
  readonly said: string
  /** What was asked and answered, line by line. */
  readonly exchanges: readonly string[]
}

const MARKS: Readonly<Record<Finding['verdict'], string>> = { there: '✔', missing: '✖', 'not looked at': '–' }

export function tell({ capability, verdict, said, exchanges }: Finding): string[] {
  const { title, ask } = CAPABILITIES[capability]
  return [
    `${MARKS[verdict]} ${title}`,
    ...exchanges.map((line) => `    ${line}`),
    `  ${said}`,
    ...(verdict === 'missing' ? [`  ${ask}`] : []),
  ]
}

export const isMissing = ({ verdict }: Finding) => verdict === 'missing'

/** Why nothing can be paid; null when it can be tried. */
export function whyNotPayable(findings: readonly Finding[]): string | null {
  const lacking = findings.filter((each) => each.verdict !== 'there' && NEEDED_TO_PAY.has(each.capability))
  const named = lacking.filter(isMissing).map(({ capability }) => CAPABILITIES[capability].title)
  return lacking.length === 0 ? null : `Not tried, for want of: ${named.join('; ')}.`
}
