import { Button } from './button.tsx'

interface LoadMoreProps {
  readonly pages: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly isFetchNextPageError: boolean
    readonly fetchNextPage: () => Promise<unknown>
  }
  readonly children: string
}

export function LoadMore({ pages, children }: LoadMoreProps) {
  if (!pages.hasNextPage) return null
  return (
    <div className="border-t border-line p-3 text-center">
      {pages.isFetchNextPageError && !pages.isFetchingNextPage ? (
        <p role="alert" className="mb-2 text-sm text-bad">
          The rest could not be loaded. Check your connection, then try again.
        </p>
      ) : null}
      <Button busy={pages.isFetchingNextPage ? 'Loading…' : false} onClick={() => void pages.fetchNextPage()}>
        {children}
      </Button>
    </div>
  )
}
