import { isEmail } from '../../format/people.ts'

/** Several addresses, however they were separated; each once. */
export function readAddresses(typed: string): { good: readonly string[]; bad: readonly string[] } {
  const all = [...new Set(typed.split(/[\s,;]+/).filter((word) => word !== ''))]
  return { good: all.filter(isEmail), bad: all.filter((word) => !isEmail(word)) }
}

export function addressProblem(typed: string): string | undefined {
  const { good, bad } = readAddresses(typed)
  if (bad.length > 0)
    return `${bad.length === 1 ? 'This is not an email address' : 'These are not email addresses'}: ${bad.join(', ')}`
  return good.length === 0 ? 'Enter an email address.' : undefined
}
