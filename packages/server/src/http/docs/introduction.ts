/** What a newcomer reads first, in Markdown. Its headings become entries of the page's menu. */
export function introduction(publicUrl: string): string {
  return `Send pounds to UK bank accounts from your own USDC wallet. The recipient gets the amount you name, usually
within minutes, and you pay a fee for the payouts that arrive.

# Start

You need an API key. A sandbox key (\`kp_sandbox_…\`) moves test money and nothing else, and everything answers as it does
in live; a service that you run yourself prints one at its first start. Send it with every request:

\`\`\`sh
KEY=kp_sandbox_…
curl ${publicUrl}/v1/balance \\
  -H "Authorization: Bearer $KEY"
\`\`\`

The key decides the environment. The examples on this page work when pasted into a shell that has \`KEY\`.

# Pay once

Every payout needs an \`Idempotency-Key\` of your own, such as your order id. Send the same request with the same key as
often as you like: the recipient is paid once, and you get the payout as it is now with \`Idempotent-Replayed: true\`. A key
is remembered for ever. After a timeout or a broken connection, repeat the request; never make a new key for it.

# Follow a payout

A new payout is \`processing\`, or \`pending\` when the bank has not answered yet. Read it until it is \`completed\`, \`failed\`,
\`cancelled\` or \`returned\`. A completed payout can still come back as \`returned\`, days later. Until the bank has taken
its money from the wallet, which is often at once, it can be cancelled.

# Try every ending

In sandbox any valid-looking account is paid after about two seconds. An account number ending \`0000\` always fails, and a
reference that begins with \`sandbox:\` chooses another ending:

| You send | You see |
|---|---|
| any valid-looking account | \`processing\`, then \`completed\` |
| an account number ending \`0000\` | 201, created as \`failed\` |
| reference \`sandbox:return\` | \`completed\`, then \`returned\` |
| reference \`sandbox:fail\` | \`processing\`, then \`failed\` |
| reference \`sandbox:cancel\` | \`processing\`, then \`cancelled\` |
| reference \`sandbox:hold\` | stays in \`processing\` |
| reference \`sandbox:late\` | created as \`pending\`, then goes on |
| reference \`sandbox:reject\` | 422 \`recipient_account_rejected\` |
| reference \`sandbox:down\` | 502 \`payout_not_created\` |

A payout on its way can also be told how to end, and why: \`POST /v1/sandbox/payouts/{id}/simulate\`.
Once a bank is connected for the account, \`rail\` is \`provider_sandbox\` and a payout can also be cancelled: be quick, the
sandbox bank takes its money after half a second.

# Money

Amounts are text with exactly two decimals, never numbers. Fields that end in \`_gbp\` are pounds, those that end in \`_usdc\`
are USDC. A quote binds nobody; to be safe against a rate that moves, send \`Max-Wallet-Debit-USDC\` with the payout.

\`GET /v1/funding\` says how to top the wallet up: a transfer in pounds, or USDC sent to its address.

# Go live

\`POST /v1/compliance/verification\` gives the links where the business proves who it is. When the bank has approved it,
live keys become available.

# Failures

Every failure has one shape, with a \`code\` for your program and a \`message\` for you. [Each code is
explained](${publicUrl}/docs/errors): what happened, whether money moved, what to do. \`request_id\` is the \`X-Request-Id\` of
the answer; give it to us when you ask about one.

# Limits

A key may make 100 requests per second, with bursts of 200, unless the service is set up otherwise. All sandbox keys of a
business together may make twice as many, and so may all live keys, and all members in the dashboard. \`RateLimit-Limit\`,
\`RateLimit-Remaining\` and \`RateLimit-Reset\` say how the limit stands that you are nearest to. A 429 says in
\`Retry-After\` how long to wait, and in \`details.limit\` which limit was met.

Of one business a few requests are worked on at once, and 16 payouts in sandbox, 32 in live. Others wait their turn, at most
200 of them and ten seconds; then it is 429, and nothing was done. More connections than that make nothing faster.

# Versions

This is version 1, and every path says so. Within it fields and codes may be added and are never taken away: ignore what
you do not know. \`HEAD\` is answered wherever \`GET\` is.`
}
