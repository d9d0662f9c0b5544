/** Why no payment settles at this bank; null where they do, or where that is what is to be found out. */
export function whyNothingSettles({ baseUrl, said }: { baseUrl: string; said: string | undefined }): string | null {
  if (/(^|\.)sandbox\.bridge\.xyz$/.test(new URL(baseUrl).hostname)) {
    return 'Bridge’s sandbox makes transfers with dummy data and never settles one: that a payment arrives, and what it takes out of the wallet, is first seen in live.'
  }
  return said === 'no' ? 'BANK_CONTRACT_SETTLES says that this sandbox never settles a transfer.' : null
}
