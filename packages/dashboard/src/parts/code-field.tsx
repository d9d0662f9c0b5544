import { type ClipboardEvent, type RefObject, useRef } from 'react'

import { FieldFrame, inputClass } from './field.tsx'

interface CodeFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (code: string) => void
  /** Called once, when the sixth digit is there. */
  readonly onComplete: (code: string) => void
  readonly error?: string | undefined
  readonly hint?: string
  readonly isBusy: boolean
  readonly fieldRef?: RefObject<HTMLInputElement | null>
}

const LENGTH = 6

export const digitsOf = (text: string) => text.replaceAll(/\D/g, '').slice(0, LENGTH)

/** One plain field for the emailed code: password managers fill it, and pasting with spaces works. */
export function CodeField({ label, value, onChange, onComplete, error, hint, isBusy, fieldRef }: CodeFieldProps) {
  const own = useRef<HTMLInputElement>(null)
  const take = (text: string) => {
    const code = digitsOf(text)
    onChange(code)
    if (code.length === LENGTH && code !== value) onComplete(code)
  }
  const paste = (event: ClipboardEvent) => {
    event.preventDefault()
    take(event.clipboardData.getData('text'))
  }
  return (
    <FieldFrame label={label} error={error} {...(hint === undefined ? {} : { hint })}>
      {(wiring) => (
        <input
          {...wiring}
          ref={fieldRef ?? own}
          autoFocus
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="[0-9]*"
          maxLength={LENGTH}
          readOnly={isBusy}
          value={value}
          onChange={(event) => take(event.target.value)}
          onPaste={paste}
          className={`${inputClass} num h-12 text-center font-mono text-xl tracking-[0.5em]`}
        />
      )}
    </FieldFrame>
  )
}
