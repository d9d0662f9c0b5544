import { useQuery } from '@tanstack/react-query'

import { linkClass } from '../app/page.tsx'
import { authOptionsQuery } from '../server/queries.ts'

/** Only where the operator has no mail server: codes arrive on a page of their own. */
export function MailboxLink() {
  const options = useQuery(authOptionsQuery)
  const mailbox = options.data?.mailbox_url ?? null
  if (mailbox === null) return null
  return (
    <p className="mt-6 rounded-lg bg-sunken px-3 py-2 text-sm text-muted">
      This server sends no real mail.{' '}
      <a href={mailbox} target="_blank" rel="noopener" className={linkClass}>
        Open the test mailbox
      </a>
    </p>
  )
}
