// The OpenAPI document: made from the schemas that validate and serialise, so it cannot say anything else.
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'

import { SERVICE_NAME, SERVICE_VERSION } from '../service-version.ts'

export function openApiOptions(publicUrl: string): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: SERVICE_NAME,
        version: SERVICE_VERSION,
        description: INTRODUCTION,
      },
      servers: [{ url: publicUrl, description: 'Sandbox and live; the API key decides which.' }],
      tags: [
        { name: 'Payouts', description: 'Quote, pay, follow.' },
        { name: 'Account', description: 'What the account is, holds and did.' },
        { name: 'Billing', description: 'What it costs.' },
        { name: 'Access', description: 'Who may call.' },
        { name: 'Service', description: 'What anybody may ask.' },
      ],
      components: {
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            description: 'An API key: `kp_sandbox_…` for test money, `kp_live_…` for real money.',
          },
        },
      },
    },
    refResolver: {
      buildLocalReference: (json, _baseUri, _fragment, index) =>
        typeof json['$id'] === 'string' ? json['$id'] : `def-${index}`,
    },
  }
}

const INTRODUCTION = `Send pounds to UK bank accounts from your own USDC wallet.

**Start** with a sandbox key: nothing real moves, and everything answers as it does in live. Try every ending:

| You send | You see |
|---|---|
| any valid-looking account | \`processing\`, then \`completed\` after about two seconds |
| an account number ending \`0000\` | created as \`failed\` |
| reference \`sandbox:return\` | completes, then is \`returned\` |
| reference \`sandbox:fail\` | \`processing\`, then \`failed\` |
| reference \`sandbox:cancel\` | \`processing\`, then \`cancelled\` |
| reference \`sandbox:hold\` | stays in \`processing\` |
| reference \`sandbox:late\` | created as \`pending\`, then goes on |
| reference \`sandbox:reject\` | 422 \`recipient_account_rejected\` |
| reference \`sandbox:down\` | 502 \`payout_not_created\` |

**Money** is text with two decimals, never a number. **Failures** all have one shape; [each code is explained](docs/errors).
**Repeat** a payout as often as you like with the same \`Idempotency-Key\`: it is paid once.`
