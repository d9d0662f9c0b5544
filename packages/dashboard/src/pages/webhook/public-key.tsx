import { useQuery } from '@tanstack/react-query'

import { Loaded } from '../../app/loaded.tsx'
import { linkClass } from '../../app/page.tsx'
import { Card } from '../../parts/card.tsx'
import { Copyable } from '../../parts/copy-button.tsx'
import { publicKeysQuery } from '../../server/webhook-queries.ts'
import { keysAddress } from '../../server/webhooks.ts'

/** For receivers that would rather not keep a secret. */
export function PublicKey({ endpointId }: { endpointId: string }) {
  const keys = useQuery(publicKeysQuery(endpointId))
  const address = keysAddress(endpointId)
  return (
    <Card title="Or without a secret">
      <p className="mb-3 text-muted">
        Every webhook also has a signature <code className="font-mono text-sm">v1a</code> (ed25519), which this public
        key verifies. It is this endpoint’s own, and can be read at{' '}
        <a href={address} className={`wrap-anywhere ${linkClass}`}>
          {address}
        </a>
        : read it again when a signature does not fit any more.
      </p>
      <Loaded query={keys} isSmall>
        {({ data }) => (
          <ul className="grid gap-1">
            {data.map(({ id, public_key: key }) => (
              <li key={id}>
                <Copyable text={key} what="public key" />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  )
}
