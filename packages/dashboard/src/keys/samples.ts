// Code to paste, with the key already in it.

const BODY = `{
    "amount_gbp": "25.00",
    "reference": "First payout",
    "recipient": {
      "first_name": "Amara", "last_name": "Okafor",
      "address": { "line1": "1 High Street", "city": "Leeds", "postal_code": "LS1 4AP" },
      "bank": { "bank_name": "Monzo", "sort_code": "040004", "account_number": "12345678" }
    }
  }`

const host = () => location.origin

export function payoutCurl(key: string): string {
  return `curl ${host()}/v1/payouts \\
  -H "Authorization: Bearer ${key}" \\
  -H "Idempotency-Key: order-1042" \\
  -H "Content-Type: application/json" \\
  -d '${BODY}'`
}

export function balanceCurl(key: string): string {
  return `curl ${host()}/v1/balance \\
  -H "Authorization: Bearer ${key}"`
}

export function nodeSample(key: string): string {
  return `const answer = await fetch('${host()}/v1/balance', {
  headers: { Authorization: 'Bearer ${key}' },
})
console.log(answer.status, await answer.json())`
}

export function pythonSample(key: string): string {
  return `import json, urllib.request

request = urllib.request.Request(
    "${host()}/v1/balance",
    headers={"Authorization": "Bearer ${key}"},
)
with urllib.request.urlopen(request) as answer:
    print(answer.status, json.load(answer))`
}

export function envFile(key: string): string {
  return `KESTREL_URL=${host()}\nKESTREL_API_KEY=${key}\n`
}
