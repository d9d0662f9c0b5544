import { useQuery } from '@tanstack/react-query'

import { authOptionsQuery } from '../server/queries.ts'

/** Where to turn to: the address of whoever runs the service, if they gave one. Nothing until that is known. */
export function Contact() {
  const options = useQuery(authOptionsQuery)
  if (options.isLoading) return <span aria-busy="true" />
  const email = options.data?.contact_email ?? null
  if (email === null) return 'Ask whoever runs this service for you.'
  return (
    <>
      Write to{' '}
      <a href={`mailto:${email}`} className="font-medium underline">
        {email}
      </a>
      .
    </>
  )
}
