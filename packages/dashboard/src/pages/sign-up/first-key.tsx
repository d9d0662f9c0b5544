import { useState } from 'react'

import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/card.tsx'
import { KeySecret } from '../../keys/key-secret.tsx'
import { Entrance } from '../../entrance/entrance.tsx'

interface FirstKeyProps {
  readonly secret: string
  readonly business: string
  readonly onDone: () => void
}

/** The one moment in which the first sandbox key can be seen. */
export function FirstKey({ secret, business, onDone }: FirstKeyProps) {
  const [isKept, setKept] = useState(false)
  const [wasAsked, setAsked] = useState(false)
  return (
    <Entrance title={`${business} is ready`}>
      <p className="mb-4 text-muted">
        This is your sandbox key, for use from code. It is shown once: copy it or download it now. You can always make
        another.
      </p>
      <KeySecret secret={secret} environment="sandbox" onKept={() => setKept(true)} isKept={isKept} />
      {wasAsked && !isKept ? (
        <div className="mt-4">
          <Notice tone="warn">You have not copied the key. It cannot be shown again.</Notice>
        </div>
      ) : null}
      <Button kind="primary" className="mt-5 w-full" onClick={() => (isKept || wasAsked ? onDone() : setAsked(true))}>
        {wasAsked && !isKept ? 'Continue without it' : 'Go to the dashboard'}
      </Button>
    </Entrance>
  )
}
