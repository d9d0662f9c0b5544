import { CopyButton } from './copy-button.tsx'

/** Text to copy into a terminal or an editor. */
export function CodeBlock({ code, what }: { code: string; what: string }) {
  return (
    <div className="flex w-full items-start rounded-lg border border-line bg-sunken text-left">
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long lines are scrolled with the keyboard
        tabIndex={0}
        aria-label={what}
        role="region"
        className="min-w-0 flex-1 overflow-x-auto p-3 font-mono text-xs leading-5 text-ink"
      >
        {code}
      </pre>
      {/* Beside the text and not over it: on a phone it would cover what is scrolled under it. */}
      <div className="shrink-0 p-1.5">
        <CopyButton text={code} what={what} />
      </div>
    </div>
  )
}
