import type { Funding } from '@kestrel/contract'
import { useMemo } from 'react'
import { encode } from 'uqr'

import { groupAddress, showSortCode } from '../../format/bank-details.ts'
import { Fact, Facts } from '../../parts/card.tsx'
import { CopyButton, Copyable } from '../../parts/copy-button.tsx'
import { Badge } from '../../parts/status-pill.tsx'

type Bank = NonNullable<Funding['bank_transfer']>

export function BankTransfer({ details }: { details: Bank }) {
  const rows = [
    { term: 'Account name', text: details.account_name, shown: details.account_name },
    { term: 'Bank', text: details.bank_name, shown: details.bank_name },
    { term: 'Sort code', text: details.sort_code, shown: showSortCode(details.sort_code ?? '') },
    { term: 'Account number', text: details.account_number, shown: details.account_number },
    { term: 'Reference', text: details.reference, shown: details.reference },
  ].flatMap(({ term, text, shown }) => (text === null || shown === null ? [] : [{ term, text, shown }]))
  const all = rows.map(({ term, shown }) => `${term}: ${shown}`).join('\n')
  return (
    <div className="max-w-xl">
      <Facts>
        {rows.map(({ term, text, shown }) => (
          <Fact key={term} term={term}>
            <Copyable text={text} shown={shown} what={term.toLowerCase()} />
          </Fact>
        ))}
      </Facts>
      <p className="my-3 text-muted">
        Send pounds from any UK bank account. They are converted to USDC when they arrive, usually within minutes.
      </p>
      <CopyButton text={all} what="all bank details" label="Copy all" />
    </div>
  )
}

type Chain = NonNullable<Funding['onchain']>

export function OnChain({ details: { chain, address } }: { details: Chain }) {
  return (
    <div className="flex flex-wrap items-start gap-6">
      <QrCode text={address ?? ''} />
      <div className="min-w-0 flex-1 basis-72">
        <p className="mb-2 flex items-center gap-2">
          <Badge tone="info">{chain ?? ''}</Badge> USDC address of your wallet
        </p>
        <p className="mb-3 flex flex-wrap gap-x-1.5 font-mono">
          <span className="sr-only">{address}</span>
          {groupAddress(address ?? '').map((group, index) => (
            <span key={index} aria-hidden="true">
              {group}
            </span>
          ))}
        </p>
        <CopyButton text={address ?? ''} what="wallet address" label="Copy address" />
        <p className="mt-4 rounded-lg border border-bad px-3 py-2 text-bad">
          Only send USDC on {chain}. Anything else, or on another chain, cannot be recovered.
        </p>
      </div>
    </div>
  )
}

/** Black on white in both themes, because phones scan it. All its squares are one path. */
function QrCode({ text }: { text: string }) {
  const { size, path } = useMemo(() => {
    const code = encode(text, { border: 2 })
    const squares = code.data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    return { size: code.size, path: squares.join('') }
  }, [text])
  return (
    <svg
      role="img"
      aria-label="QR code of the wallet address"
      viewBox={`0 0 ${size} ${size}`}
      className="size-40 rounded-lg border border-line bg-white"
    >
      <path d={path} fill="#000000" />
    </svg>
  )
}
