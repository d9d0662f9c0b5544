// The words that go with the scheme's codes: four digits when Faster Payments refused a payment, eight when the
// receiving bank sent it back.
const REASONS: Readonly<Record<string, string>> = {
  '1100': 'Refused for business reasons',
  '1114': 'Sort code or account number unknown',
  '1160': 'Beneficiary account closed',
  '1161': 'Beneficiary account stopped',
  '1162': 'Account name does not match',
  '1163': 'A reference is required',
  '1164': 'Reference incorrect',
  '1165': 'Wrong currency',
  '1166': 'Account transferred to another bank',
  '1167': 'Beneficiary deceased',
  '1170': 'Not permitted by the terms of the account',
  '1172': 'Funds not available',
  '1909': 'System malfunction at the receiving bank',
  '00000001': 'Beneficiary account unknown',
  '00000002': 'Beneficiary account closed',
  '00000003': 'Beneficiary account stopped',
  '00000004': 'Beneficiary deceased',
  '00000005': 'A reference is required',
  '00000006': 'Account name does not match',
  '00000007': 'Returned at the request of the sender',
  '00000008': 'Wrong currency',
  '00000009': 'Payment not expected',
  '00000010': 'Not permitted by the terms of the account',
  '00000012': 'Account transferred to another bank',
  '00000014': 'No reason given',
}

export const UNKNOWN_ACCOUNT = '1114'
export const ACCOUNT_STOPPED = '1161'
export const ACCOUNT_CLOSED = '00000002'

/** `Beneficiary account closed (00000002)`: the text and the code that it came with. */
export function schemeReason(code: string, text?: string): string {
  return `${text ?? REASONS[code] ?? 'Reason given by the receiving bank'} (${code})`
}
