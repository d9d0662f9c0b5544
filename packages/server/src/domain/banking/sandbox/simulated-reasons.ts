// The scheme's code that leads to a failure code, for a sandbox bank that is told what to say.
import type { SimulatedReason } from '@kestrel/contract'

interface SchemeCodes {
  /** Given by Faster Payments, which did not deliver the payment. */
  readonly fail: string
  /** Given by the recipient's bank, which sent the payment back. */
  readonly return: string
}

export const SCHEME_CODES: Readonly<Record<SimulatedReason, SchemeCodes>> = {
  account_not_found: { fail: '1114', return: '00000001' },
  account_closed: { fail: '1160', return: '00000002' },
  account_blocked: { fail: '1161', return: '00000003' },
  account_moved: { fail: '1166', return: '00000012' },
  account_holder_deceased: { fail: '1167', return: '1167' },
  currency_not_accepted: { fail: '1165', return: '1165' },
  name_mismatch: { fail: '1162', return: '00000006' },
  reference_needed: { fail: '1163', return: '00000005' },
  refused_by_recipient: { fail: '1170', return: '1170' },
  rejected_by_bank: { fail: '1909', return: '1909' },
  other: { fail: '1171', return: '00000014' },
}
