// The database finds payouts by the code that the program shows: both read it from the bank's words in the same way.
import { PAYOUT_STATUSES } from '@kestrel/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { RELEASED, failureCodeOf, refusedAfterDoubt } from '../../src/domain/payouts/record/failure-reasons.ts'
import { cloneDatabase } from '../support/database.ts'
import { type Owner, ownerOf } from './owner.ts'

const CODES =
  '1100 1114 1160 1161 1162 1163 1164 1165 1166 1167 1168 1169 1170 1171 1172 1181 1909 1930 9909 9910 9913 AC01 AC03 AC06 AC07 AC09 AG01 BE08 MD09 MS03 PY01 CB_AccountSwitched CB_AccountNameAndNumberMismatch CB_PaymentReferenceMissing CB_PaymentReferenceIncorrect CB_FailedModulusCheck 00000001 00000002 00000003 00000004 00000005 00000006 00000007 00000008 00000009 00000010 00000011 00000012 00000013 00000014 00000015'
const WAYS = [
  '%',
  'Sent back (%) by the bank',
  '%: sent back',
  'sent back: %',
  'sent %.00 back',
  'in % days',
  'x%x',
  '%,\n',
  // Spaces and letters that not everybody takes for such.
  '\u{a0}%\u{a0}',
  '(\u{a0}%)',
  'sent back:\u{2003}%\u{2003}x',
  'sent back: %\u{a0}x',
  'sent back:\v%\f',
  'sent back:\u{85}%\u{feff}',
  'é%é',
  'ж(%)ж',
  '٣%٣',
  'sent back: \t\r\n%\r',
  '%_',
  '-%-',
]
const REASONS = [
  null,
  '',
  'free words',
  RELEASED,
  ...(['account', 'recipient', 'order'] as const).flatMap((what) =>
    ['', 'It was not made.', 'Closed (AC07)', '1114'].map((words) => refusedAfterDoubt(words, what)),
  ),
  `so: ${refusedAfterDoubt('', 'account')}`,
  ...CODES.split(' ').flatMap((code) => WAYS.map((way) => way.replace('%', code))),
]
const CASES = REASONS.flatMap((reason) => PAYOUT_STATUSES.map((status) => ({ status, reason })))

let database: Awaited<ReturnType<typeof cloneDatabase>>
let owner: Owner
beforeAll(async () => {
  database = await cloneDatabase()
  owner = await ownerOf(database.url)
})
afterAll(async () => {
  await owner.end()
  await database.drop()
})

it('are the same in the database and in the program, of every status and whatever the bank says', async () => {
  const rows = await owner.query<{ status: string; reason: string | null; code: string | null }>(
    `select status, reason, failure_code_of(status, reason) as code
       from unnest($1::text[], $2::text[]) with ordinality as item (status, reason, place) order by place`,
    [CASES.map(({ status }) => status), CASES.map(({ reason }) => reason)],
  )
  expect(rows).toEqual(CASES.map(({ status, reason }) => ({ status, reason, code: failureCodeOf(status, reason) })))
})
