// A payout's receipt on one page: for the recipient, for an auditor, for the file.
import { LEFT, QUIET, RIGHT, type Sheet, openSheet } from './sheet.ts'

export interface ReceiptFacts {
  readonly payoutId: string
  readonly isSandbox: boolean
  readonly operatorName: string
  readonly partner: { readonly name: string; readonly logo: Uint8Array | null; readonly color: string | null }
  /** Such as £250.00 to Amara Okafor. */
  readonly headline: string
  /** The outcome, in a sentence. */
  readonly outcome: string
  readonly createdAt: Date
  readonly about: readonly (readonly [name: string, value: string])[]
  readonly costs: readonly (readonly [name: string, value: string])[]
  /** The address where anybody can check it. */
  readonly checkedAt: string
}

export async function receiptPdf(facts: ReceiptFacts): Promise<Buffer> {
  const sheet = await openSheet({
    title: `Payout ${facts.payoutId}`,
    author: facts.operatorName,
    subject: facts.headline,
    createdAt: facts.createdAt,
  })
  const { band, logo, put, room } = sheet
  band(facts.partner.color)
  const hasLogo = facts.partner.logo !== null && logo(facts.partner.logo)
  if (!hasLogo) put('P', facts.partner.name, { x: 345, y: 54, bold: true, size: 11, width: 200, align: 'right' })
  let y = put('H1', 'Payout', { x: LEFT, y: 50, size: 24, bold: true, width: 285 })
  y = put('P', facts.headline, { x: LEFT, y: y + 4, size: 13, width: 285 })
  y = put('P', facts.outcome, { x: LEFT, y: Math.max(y, 94) + 22, size: 11, bold: true }) + 4
  if (facts.isSandbox) y = put('P', 'Sandbox: this is a test, and no money moved.', { x: LEFT, y, color: QUIET }) + 4
  y = rows(sheet, facts.about, y + 16)
  y = room(y + 22, 23 + facts.costs.length * 27)
  y = put('H2', 'What it cost', { x: LEFT, y, size: 12, bold: true }) + 8
  y = rows(sheet, facts.costs, y)
  y = howToCheck(sheet, facts.checkedAt, room(y + 26, CODE_SIZE + 36))
  put('P', `Times are those of Europe/London. Made by ${facts.operatorName} for ${facts.partner.name}.`, {
    x: LEFT,
    y: y + 20,
    size: 9,
    color: QUIET,
    width: RIGHT - LEFT,
  })
  return sheet.end()
}

const CODE_SIZE = 92

/** Beside the code the address itself, for whoever has the file and not the paper. */
function howToCheck({ put, code }: Sheet, address: string, top: number): number {
  code(address, { x: LEFT, y: top, size: CODE_SIZE })
  const x = LEFT + CODE_SIZE + 20
  let y = put('H2', 'Check this receipt', { x, y: top - 3, size: 12, bold: true }) + 4
  y =
    put('P', `Scan the code or follow the link. The page must be at ${new URL(address).host}, and say the same.`, {
      x,
      y,
    }) + 6
  y = put('P', address, { x, y, size: 8, color: QUIET, link: address })
  return Math.max(y, top + CODE_SIZE)
}

function rows({ put, rule, table }: Sheet, pairs: ReceiptFacts['about'], top: number): number {
  return table((row) => {
    let y = top
    for (const [name, value] of pairs) {
      const from = y
      rule(from)
      y = row((within) => {
        const left = put('TH', name, { x: LEFT, y: from + 7, width: 190, within, color: QUIET })
        return Math.max(left, put('TD', value, { x: 250, y: from + 7, width: RIGHT - 250, within })) + 7
      })
    }
    rule(y)
    return y
  })
}
