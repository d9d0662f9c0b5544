import type { Settings } from '@kestrel/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { useIsAdmin } from '../../app/session.ts'
import { useAction } from '../../app/use-action.ts'
import { contrast, inkOn, readableOn, readColour } from '../../format/contrast.ts'
import { initials } from '../../format/people.ts'
import { Button } from '../../parts/button.tsx'
import { Card, Notice } from '../../parts/card.tsx'
import { Field } from '../../parts/field.tsx'
import { complain } from '../../parts/toasts.tsx'
import { changeSettings, putLogo, removeLogo } from '../../server/account.ts'
import { SESSION } from '../../server/queries.ts'
import { Mark } from '../../parts/mark.tsx'

const LARGEST = 200 * 1024
const KINDS = 'image/png,image/jpeg'

/** Logo and colour appear on sign-in, invoices and mails; inside, the page stays as it is. */
export function Branding({ settings }: { settings: Settings }) {
  const isAdmin = useIsAdmin()
  const [typed, setTyped] = useState(settings.brand_color ?? '')
  const colour = readColour(typed)
  return (
    <Card title="Branding">
      <div className="grid gap-6 md:grid-cols-2">
        <div className="grid content-start gap-5">
          <p className="text-muted">Shown on your sign-in page, invoices and mails.</p>
          <Logo settings={settings} />
          {isAdmin ? <ColourForm typed={typed} onType={setTyped} settings={settings} /> : null}
        </div>
        <Preview name={settings.name} logo={settings.logo_url} colour={colour ?? '#1a1b1e'} />
      </div>
    </Card>
  )
}

function Logo({ settings }: { settings: Settings }) {
  const isAdmin = useIsAdmin()
  const client = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const onDone = () => void client.invalidateQueries({ queryKey: SESSION })
  const put = useAction(putLogo, { done: 'The logo was changed.', refresh: ['settings'], onDone })
  const remove = useAction(() => removeLogo(), { done: 'The logo was removed.', refresh: ['settings'], onDone })
  const take = (file: File | undefined) => {
    if (file === undefined) return
    if (file.size > LARGEST) complain('That picture is larger than 200 KB. Choose a smaller one.')
    else put.mutate(file)
  }
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Mark name={settings.name} logo={settings.logo_url} />
      {isAdmin ? (
        <>
          <input
            ref={input}
            type="file"
            accept={KINDS}
            className="sr-only"
            aria-label="Logo file"
            tabIndex={-1}
            onChange={(event) => take(event.target.files?.[0])}
          />
          <Button icon="upload" busy={put.isPending ? 'Uploading…' : false} onClick={() => input.current?.click()}>
            {settings.logo_url === null ? 'Upload a logo' : 'Change the logo'}
          </Button>
          {settings.logo_url === null ? null : (
            <Button kind="quiet" onClick={() => remove.mutate(undefined)}>
              Remove
            </Button>
          )}
          <span className="text-sm text-muted">PNG or JPEG, at most 200 KB</span>
        </>
      ) : null}
    </div>
  )
}

interface ColourProps {
  readonly typed: string
  readonly onType: (typed: string) => void
  readonly settings: Settings
}

function ColourForm({ typed, onType, settings }: ColourProps) {
  const colour = readColour(typed)
  const act = useAction(() => changeSettings({ brand_color: colour }), { done: 'Saved.', refresh: ['settings'] })
  const isWrong = typed.trim() !== '' && colour === null
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isWrong && !act.isPending) act.mutate(undefined)
      }}
    >
      <div className="flex items-end gap-3">
        <Field
          label="Brand colour"
          placeholder="#2b4bd8"
          className="w-44"
          value={typed}
          onChange={(event) => onType(event.target.value)}
          error={isWrong ? 'Six digits, such as #2b4bd8.' : undefined}
        />
        <input
          type="color"
          aria-label="Pick a brand colour"
          className="h-9 w-12 rounded-control border border-control bg-surface p-1"
          value={colour ?? '#1a1b1e'}
          onChange={(event) => onType(event.target.value)}
        />
      </div>
      {colour === null ? null : <ContrastNote colour={colour} />}
      <div>
        <Button type="submit" disabled={colour === settings.brand_color} busy={act.isPending ? 'Saving…' : false}>
          Save colour
        </Button>
      </div>
    </form>
  )
}

function ContrastNote({ colour }: { colour: string }) {
  const ratio = contrast(colour, '#ffffff')
  if (ratio >= 4.5) return <Notice tone="ok">Reads well on white: {ratio.toFixed(1)} to 1.</Notice>
  return (
    <Notice tone="warn">
      On white this is {ratio.toFixed(1)} to 1, and text needs 4.5. Where it is used for text we darken it to{' '}
      <span className="font-mono">{readableOn(colour, '#ffffff')}</span>.
    </Notice>
  )
}

/** A small preview of the business's sign-in page. Always on white, as mails and invoices are. */
function Preview({ name, logo, colour }: { name: string; logo: string | null; colour: string }) {
  const shade = readableOn(colour, '#ffffff')
  return (
    <figure aria-label="Preview" className="overflow-hidden rounded-card border border-line bg-white text-[#1a1b1e]">
      <div className="h-1.5" style={{ backgroundColor: shade }} />
      <div className="grid gap-3 p-6">
        <div className="flex items-center gap-3">
          {logo === null ? (
            <span
              className="flex size-8 items-center justify-center rounded-md text-xs font-semibold"
              style={{ backgroundColor: colour, color: inkOn(colour) }}
            >
              {initials(name)}
            </span>
          ) : (
            <img src={logo} alt="" className="size-8 object-contain" />
          )}
          <span className="min-w-0 font-semibold wrap-anywhere">{name}</span>
        </div>
        <p className="text-xl font-semibold wrap-anywhere">Sign in to {name}</p>
        <p className="h-9 rounded-control border border-[#8a857b] px-3 py-2 text-[#5c5a55]">you@business.co.uk</p>
        <p className="font-medium" style={{ color: shade }}>
          A link in this colour
        </p>
      </div>
      <figcaption className="border-t border-[#e4e1da] px-6 py-2 text-sm text-[#5c5a55]">Preview</figcaption>
    </figure>
  )
}
