// /llms.txt: where a program that reads finds each document, as plain text.
import { SERVICE_NAME } from '../../core/service-version.ts'
import { GUIDES } from './guides.ts'

export function llmsText(publicUrl: string): string {
  const guides = GUIDES.map(({ name, title, summary }) => `- [${title}](${publicUrl}/docs/${name}.md): ${summary}`)
  return `# ${SERVICE_NAME}

> Send pounds to UK bank accounts from a USDC wallet over Faster Payments: an API with a sandbox in which every outcome can
> be tried. Money is text with two decimals. Every payout needs an Idempotency-Key made from the caller's own order id; after
> a request without an answer, the same request is sent again with the same key.

## Guides

${guides.join('\n')}

## Reference

- [OpenAPI 3.1](${publicUrl}/openapi.yaml): every operation with schemas and examples. [As JSON](${publicUrl}/openapi.json).
- [Errors](${publicUrl}/docs/errors.md): every code, whether money moved, and what to do.
- [Postman collection](${publicUrl}/postman.json): the same requests, ready to send.
`
}
