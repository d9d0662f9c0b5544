import { useEffect } from 'react'

import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'

interface SecretBoxProps {
  readonly secret: string
  /** What it is, for the name of the button: "secret key". */
  readonly what: string
  readonly file: { readonly name: string; readonly text: string }
  readonly isKept: boolean
  readonly onKept: () => void
}

/** A secret that is shown this once. Leaving the page before it was copied or downloaded asks first. */
export function SecretBox({ secret, what, file, isKept, onKept }: SecretBoxProps) {
  useEffect(() => {
    if (isKept) return
    const guard = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', guard)
    return () => removeEventListener('beforeunload', guard)
  }, [isKept])
  return (
    <div className="rounded-lg border border-line bg-sunken p-3">
      <p className="font-mono text-sm break-all" data-testid="secret">
        {secret}
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <CopyButton text={secret} what={what} label="Copy" onCopied={onKept} />
        <Button
          icon="download"
          onClick={() => {
            download(file.name, file.text)
            onKept()
          }}
        >
          Download .env
        </Button>
      </div>
    </div>
  )
}

function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
