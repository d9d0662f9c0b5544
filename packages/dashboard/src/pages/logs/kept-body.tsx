import type { ActivityDetail } from '@kestrel/contract'

import { CodeBlock } from '../../parts/code-block.tsx'

type Kept = NonNullable<ActivityDetail['response']>

const LEFT_OUT: Readonly<Record<NonNullable<Kept['left_out']>, string>> = {
  not_json: 'Not kept: it is not valid JSON, so nothing in it could be masked.',
  not_read: 'Not kept: the request was refused before its body was read.',
  too_large: 'Not kept: it is too long.',
  file: 'Not kept: it is a file or a stream.',
  many_reads: 'Not kept: of more than 60 reads within a minute, the first 60 keep their answers.',
}

/** One side of a request, masked, or why it is not there. */
export function KeptBody({ title, what, kept }: { title: string; what: string; kept: Kept }) {
  return (
    <section>
      <h3 className="mb-1.5 flex items-baseline justify-between gap-3 font-medium">
        {title}
        {kept.bytes === null || kept.bytes === 0 ? null : (
          <span className="num text-sm font-normal text-muted">{kept.bytes} bytes</span>
        )}
      </h3>
      {kept.left_out === null ? null : <p className="text-sm text-muted">{LEFT_OUT[kept.left_out]}</p>}
      {kept.body === null && kept.left_out === null ? <p className="text-sm text-muted">No body.</p> : null}
      {kept.body === null ? null : <CodeBlock what={what} code={indented(kept.body)} />}
      {kept.cut ? <p className="mt-1 text-sm text-muted">Cut here: only its beginning is kept.</p> : null}
    </section>
  )
}

/** As somebody would write it; what was cut is no whole JSON and stays as it is. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
