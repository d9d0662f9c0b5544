import { Button } from './button.tsx'

interface LoadMoreProps {
  readonly pages: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => Promise<unknown>
  }
  readonly children: string
}

export function LoadMore({ pages, children }: LoadMoreProps) {
  if (!pages.hasNextPage) return null
  return (
    <div className="border-t border-line p-3 text-center">
      <Button busy={pages.isFetchingNextPage ? 'Loading…' : false} onClick={() => void pages.fetchNextPage()}>
        {children}
      </Button>
    </div>
  )
}
