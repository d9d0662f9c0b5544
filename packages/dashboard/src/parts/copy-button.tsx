import { useEffect, useState } from 'react'

import { announce } from './announce.ts'
import { Button, IconButton } from './button.tsx'
import { complain } from './toasts.tsx'

const SHOWN_MS = 1_500

interface CopyProps {
  readonly text: string
  /** What is copied, for the name of the button: "payout id". */
  readonly what: string
  /** With words instead of only an icon. */
  readonly label?: string
  readonly onCopied?: () => void
}

export function CopyButton({ text, what, label, onCopied }: CopyProps) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
      announce(`Copied ${what}`)
      onCopied?.()
    } catch {
      // Browsers give the clipboard only to pages over https or from this machine.
      complain(`The browser did not let us copy the ${what}. Select it and copy it by hand.`)
    }
  }
  if (label === undefined) {
    return <IconButton icon={isCopied ? 'check' : 'copy'} label={`Copy ${what}`} onClick={() => void copy()} />
  }
  return (
    <Button icon={isCopied ? 'check' : 'copy'} onClick={() => void copy()}>
      {isCopied ? 'Copied' : label}
    </Button>
  )
}

/** A value with a button that copies it. */
export function Copyable({ text, shown = text, what }: { text: string; shown?: string; what: string }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <span className="min-w-0 font-mono text-sm wrap-anywhere">{shown}</span>
      <CopyButton text={text} what={what} />
    </span>
  )
}
