import { expect, it } from 'vitest'

import { statementReference as ofTheService } from '../../../server/src/domain/payouts/statement-reference.ts'
import { statementReference } from './statement-reference.ts'

it.each([
  '',
  'Invoice 1042',
  '  Rechnung  für Øystein Łęcki ß ',
  'Zahlung №5 — “Thistle & Reed” 2026/11',
  '日本',
  'ﬁn ①',
])('a statement carries of %j what the service says', (typed) =>
  expect(statementReference(typed)).toBe(ofTheService(typed) ?? ''),
)
