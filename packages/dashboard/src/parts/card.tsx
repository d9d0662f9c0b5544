import type { ReactNode } from 'react'

interface CardProps {
  readonly title?: ReactNode
  readonly action?: ReactNode
  readonly children: ReactNode
  /** Without padding, for a table that runs to the edges. */
  readonly flush?: boolean
  readonly className?: string
}

export function Card({ title, action, children, flush = false, className = '' }: CardProps) {
  return (
    <section className={`min-w-0 rounded-card border border-line bg-surface ${className}`}>
      {title === undefined ? null : (
        <div className={`flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 pt-4 ${flush ? 'pb-3' : ''}`}>
          <h2 className="text-base font-semibold">{title}</h2>
          {action}
        </div>
      )}
      <div className={flush ? '' : title === undefined ? 'p-5' : 'px-5 pt-3 pb-5'}>{children}</div>
    </section>
  )
}

/** Pairs of a term and its value, as a definition list. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="divide-y divide-line">{children}</dl>
}

export function Fact({ term, children }: { term: ReactNode; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4 py-2">
      <dt className="shrink-0 text-muted">{term}</dt>
      <dd className="num min-w-0 text-right wrap-anywhere">{children}</dd>
    </div>
  )
}

/** A sentence that needs to be seen, beside the thing it is about. */
export function Notice({
  tone = 'info',
  title,
  children,
}: {
  tone?: 'info' | 'warn' | 'bad' | 'ok' | 'quiet'
  title?: ReactNode
  children?: ReactNode
}) {
  return (
    <div className={`rounded-card px-4 py-3 ${NOTICE_TONES[tone]}`}>
      {title === undefined ? null : <p className="font-semibold">{title}</p>}
      {children}
    </div>
  )
}

const NOTICE_TONES = {
  info: 'bg-info-soft text-info',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  ok: 'bg-ok-soft text-ok',
  quiet: 'bg-quiet-soft text-quiet',
}
