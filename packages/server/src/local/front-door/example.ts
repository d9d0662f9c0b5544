/** What the example asks for; the recipient is made up. */
function examplePayout(amount: string): string {
  return `{
    "amount_gbp": "${amount}",
    "reference": "Invoice 1042",
    "recipient": {
      "first_name": "Amara", "last_name": "Okafor",
      "address": { "line1": "1 High Street", "city": "Leeds",
        "postal_code": "LS1 4AP" },
      "bank": { "bank_name": "Monzo", "sort_code": "040004",
        "account_number": "12345678" }
    }
  }`
}

/**
 * A command to paste into any POSIX shell. The key has a line of its own: with it, the
 * Authorization header would not fit in 80 columns.
 */
export function exampleCommand(apiUrl: string, key: string, amount: string): string[] {
  return [
    `KEY=${key}`,
    `curl -sS ${apiUrl}/v1/payouts \\`,
    '  -H "Authorization: Bearer $KEY" \\',
    '  -H "Idempotency-Key: order-1042" \\',
    '  -H "Content-Type: application/json" \\',
    ...`  -d '${examplePayout(amount)}'`.split('\n'),
  ]
}

export function newKeyCommand(partner: string): string[] {
  return [`npx kestrel key create --partner ${partner} \\`, '  --environment sandbox --label laptop']
}
