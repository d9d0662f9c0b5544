import { CopyButton } from './copy-button.tsx'

/** Text to copy into a terminal or an editor. */
export function CodeBlock({ code, what }: { code: string; what: string }) {
  return (
    <div className="relative w-full rounded-lg border border-line bg-sunken text-left">
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long lines are scrolled with the keyboard
        tabIndex={0}
        aria-label={what}
        role="region"
        className="overflow-x-auto p-3 pr-12 font-mono text-xs leading-5 text-ink"
      >
        {code}
      </pre>
      <div className="absolute top-1.5 right-1.5 rounded bg-sunken">
        <CopyButton text={code} what={what} />
      </div>
    </div>
  )
}
