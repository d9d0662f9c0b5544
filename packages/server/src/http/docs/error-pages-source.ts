// The catalogue as the command line for integrators carries it: `kestrel-pay docs CODE` needs no service.
import { ERROR_CATALOGUE } from '../errors/error-catalogue.ts'
import { codesByStatus } from './codes-by-status.ts'

export function errorPagesSource(): string {
  const pages = codesByStatus()
    .flatMap(([, codes]) => codes)
    .map((code) => {
      const { status, happened, money, todo } = ERROR_CATALOGUE[code]
      return `  ${JSON.stringify({ code, status, happened, money: money.text, nothing_was_sent: money.nothingWasSent, todo })},\n`
    })
  return `// Written by \`npm run docs\` from packages/server/src/http/errors/error-catalogue.ts. Do not edit.

export interface ErrorPage {
  readonly code: string
  readonly status: number
  readonly happened: string
  readonly money: string
  readonly nothing_was_sent: boolean
  readonly todo: string
}

export const ERROR_PAGES: readonly ErrorPage[] = [
${pages.join('')}]
`
}
