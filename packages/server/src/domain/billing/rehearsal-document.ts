// The rehearsal of an invoice as a document, which says everywhere that it is none.
import { notFound } from '../../core/errors.ts'
import { londonMidnight, nextMonth } from '../../core/london-month.ts'
import { monthInWords } from '../../core/words.ts'
import { findBilledPartner } from '../../storage/partners.ts'
import { sumMovements } from '../../storage/statements.ts'
import type { Deps } from '../deps.ts'
import { linesInWords, totalInWords, walletInWords } from './invoice-document.ts'
import { rehearseInvoice } from './rehearse-invoice.ts'

export async function readRehearsalDocument(
  deps: Pick<Deps, 'reports' | 'clock' | 'operator' | 'studio'>,
  partnerId: string,
  asked?: string,
): Promise<{ fileName: string; pdf: Buffer }> {
  const { month, lines, total } = await rehearseInvoice(deps, partnerId, asked)
  const period = { from: londonMidnight(month), to: londonMidnight(nextMonth(month)) }
  const [partner, wallet] = await Promise.all([
    findBilledPartner(deps.reports, partnerId),
    sumMovements(deps.reports, { partnerId, environment: 'sandbox' }, period),
  ])
  if (partner === null) throw notFound()
  const pdf = await deps.studio.invoice(partnerId, {
    number: `Sandbox, ${monthInWords(month)}`,
    status: 'rehearsal',
    month: monthInWords(month),
    // The same month with the same figures is the same document.
    issuedAt: period.from,
    issued: '',
    due: null,
    paid: null,
    operator: deps.operator,
    partner: {
      name: partner.billingName ?? partner.name,
      address: partner.billingAddress,
      email: partner.billingEmail,
      vatNumber: partner.vatNumber,
      logo: partner.logo,
      color: partner.brandColor,
    },
    lines: linesInWords(lines),
    total: totalInWords(total),
    wallet: walletInWords(wallet),
  })
  return { fileName: `rehearsal-${month}.pdf`, pdf }
}
