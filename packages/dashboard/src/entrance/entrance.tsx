import type { PublicPartner } from '@kestrel/contract'
import type { ReactNode } from 'react'

import { usePreference } from '../app/preferences.ts'
import { readableOn, readColour } from '../format/contrast.ts'
import { Mark } from '../parts/mark.tsx'

interface EntranceProps {
  readonly title: string
  readonly partner?: PublicPartner | undefined
  readonly children: ReactNode
}

/** The frame of every page before sign-in, with the logo and colour of the business where it is known. */
export function Entrance({ title, partner, children }: EntranceProps) {
  usePreference('theme')
  const isDark = document.documentElement.classList.contains('dark')
  const colour = readColour(partner?.brand_color ?? '')
  return (
    <main className="flex min-h-dvh flex-col items-center px-4 pt-[12vh] pb-10">
      {colour === null ? null : (
        <div
          aria-hidden="true"
          className="fixed inset-x-0 top-0 h-1.5"
          style={{ backgroundColor: readableOn(colour, isDark ? '#101113' : '#fbfaf8') }}
        />
      )}
      <div className="w-full max-w-90">
        <div className="mb-6 flex items-center gap-3">
          {partner === undefined ? <KestrelMark /> : <Mark name={partner.name} logo={partner.logo_url ?? null} />}
          <span className="font-semibold">{partner?.name ?? 'Kestrel Payouts'}</span>
        </div>
        <h1 className="mb-4 text-2xl font-semibold tracking-tight">{title}</h1>
        {children}
      </div>
    </main>
  )
}

function KestrelMark() {
  return (
    <svg viewBox="0 0 32 32" className="size-8" aria-hidden="true">
      <rect width="32" height="32" rx="8" className="fill-ink" />
      <path d="M7 20c5-1 8-4 9-10 2 5 4 7 9 8-4 0-6 1-8 5-2-3-5-4-10-3z" className="fill-on-ink" />
    </svg>
  )
}
