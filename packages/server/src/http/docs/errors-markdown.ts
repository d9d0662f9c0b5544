// docs/errors.md: the catalogue for people who read the repository rather than the service.
import type { ErrorCode } from '@kestrel/contract'
import { STATUS_CODES } from 'node:http'

import { ERROR_CATALOGUE } from '../errors/error-catalogue.ts'
import { inTheSdk } from '../errors/money-moved.ts'
import { codesByStatus } from './codes-by-status.ts'
import { failureExample } from './failure-examples.ts'
import { markdownTable } from './markdown.ts'

export function errorsMarkdown(publicUrl: string): string {
  const codes = codesByStatus()
  const rows = codes.map(([status, own]) => [
    `${status} ${STATUS_CODES[status]}`,
    own.map((code) => `[\`${code}\`](#${code})`).join(', '),
  ])
  return `# Errors

Written by \`node scripts/write-docs.mjs\` from \`packages/server/src/http/errors/error-catalogue.ts\`: change it there. The service
shows the same at \`/docs/errors\`.

Every failure has this shape. Let your program look at \`code\`: the codes stay, the messages may be worded better one day.
\`details\` is there for some codes only, \`doc_url\` leads to the code's section, and \`request_id\` is the header
\`X-Request-Id\` of the answer. With any code, \`details.earlier_attempt\` says that the bank refused an earlier payout with this
\`Idempotency-Key\` and may have made it all the same: this request sent nothing, that one perhaps did.

\`\`\`json
${JSON.stringify(failureExample('insufficient_funds', publicUrl), null, 2)}
\`\`\`

${markdownTable(['Status', 'Codes'], rows)}

${codes
  .flatMap(([, own]) => own)
  .map(section)
  .join('\n')}`
}

function section(code: ErrorCode): string {
  const { status, happened, money, todo } = ERROR_CATALOGUE[code]
  return `## ${code}

${status} ${STATUS_CODES[status]}

- **What happened:** ${happened}
- **Did money move?** ${money.text} ${inTheSdk(money)}
- **What to do:** ${todo}
`
}
