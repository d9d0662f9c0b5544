/** A payout that can be pasted into a shell; the key is in $KEY. */
export function payoutExampleCurl(base: string): string {
  return `curl ${base}/v1/payouts \\
  -H "Authorization: Bearer $KEY" \\
  -H "Idempotency-Key: order-1042" \\
  -H "Content-Type: application/json" \\
  -d '{
    "amount_gbp": "25.00",
    "reference": "Invoice 1042",
    "recipient": {
      "first_name": "Amara",
      "last_name": "Okafor",
      "address": {
        "line1": "1 High Street",
        "city": "Leeds",
        "postal_code": "LS1 4AP"
      },
      "bank": {
        "bank_name": "Monzo",
        "sort_code": "040004",
        "account_number": "12345678"
      }
    }
  }'`
}
