import { itemColumns } from './item-columns.ts'
import { type BodyTexts, packBodies, unpackBodies } from './packed-bodies.ts'
import { type Db, type Tx, statement } from './sql.ts'

/** Why a body that came is not kept. `many_reads` is in rows of release 1.3 and before: such reads have no row now. */
export type LeftOut = 'not_json' | 'not_read' | 'too_large' | 'file' | 'many_reads'

export interface NewRequestBodies {
  readonly subjectId: string | null
  readonly idempotencyKey: string | null
  readonly query: string | null
  readonly headers: string | null
  readonly requestBody: string | null
  readonly requestBytes: number | null
  readonly requestLeftOut: LeftOut | null
  readonly isRequestCut: boolean
  readonly answerBody: string | null
  readonly answerBytes: number | null
  readonly answerLeftOut: LeftOut | null
  readonly isAnswerCut: boolean
}

export interface RequestBodies extends NewRequestBodies {
  readonly id: string
  readonly at: Date
}

type KeptRow = Omit<RequestBodies, keyof BodyTexts> & { readonly packed: Buffer }

const ITEMS = itemColumns<keyof KeptRow | 'partnerId'>(1, {
  partnerId: ['partner_id', 'uuid'],
  id: ['id', 'uuid'],
  at: ['at', 'timestamptz'],
  subjectId: ['subject_id', 'uuid'],
  idempotencyKey: ['idempotency_key', 'text'],
  requestBytes: ['request_bytes', 'int'],
  requestLeftOut: ['request_left_out', 'text'],
  isRequestCut: ['request_cut', 'boolean'],
  answerBytes: ['answer_bytes', 'int'],
  answerLeftOut: ['answer_left_out', 'text'],
  isAnswerCut: ['answer_cut', 'boolean'],
  packed: ['packed', 'bytea'],
})

const INSERT = statement(
  'insert_request_bodies',
  `insert into request_bodies (${ITEMS.names})
   select ${ITEMS.selected} from ${ITEMS.from} on conflict do nothing`,
)

export function insertRequestBodies(tx: Tx, kept: readonly (RequestBodies & { readonly partnerId: string })[]): void {
  if (kept.length === 0) return
  tx.defer(INSERT, ITEMS.values(kept.map(rowOf)))
}

/** Field by field, as in activity.ts. */
function rowOf(bodies: RequestBodies & { readonly partnerId: string }) {
  return {
    partnerId: bodies.partnerId,
    id: bodies.id,
    at: bodies.at,
    subjectId: bodies.subjectId,
    idempotencyKey: bodies.idempotencyKey,
    requestBytes: bodies.requestBytes,
    requestLeftOut: bodies.requestLeftOut,
    isRequestCut: bodies.isRequestCut,
    answerBytes: bodies.answerBytes,
    answerLeftOut: bodies.answerLeftOut,
    isAnswerCut: bodies.isAnswerCut,
    packed: packBodies(bodies, bodies),
  }
}

const FIND = statement(
  'find_request_bodies',
  `select id, at, subject_id as "subjectId", idempotency_key as "idempotencyKey", query, headers,
     request_body as "requestBody", request_bytes as "requestBytes", request_left_out as "requestLeftOut",
     request_cut as "isRequestCut", answer_body as "answerBody", answer_bytes as "answerBytes",
     answer_left_out as "answerLeftOut", answer_cut as "isAnswerCut", packed
   from request_bodies where partner_id = $1 and id = $2 and at >= $3`,
)

/** Null when they are older than that, or were never kept. */
export async function findRequestBodies(
  db: Db,
  partnerId: string,
  wanted: { id: string; since: Date },
): Promise<RequestBodies | null> {
  const [row] = await db.query<RequestBodies & { packed: Buffer | null }>(FIND, [partnerId, wanted.id, wanted.since])
  if (row === undefined) return null
  const { packed, ...bodies } = row
  // Rows from before texts were packed have them in columns.
  return packed === null ? bodies : { ...bodies, ...unpackBodies(packed, row) }
}

const FORGET = statement(
  'forget_request_bodies',
  // By their places in the table: nothing is looked up twice, and rows are never changed, so a place stays a row's.
  `with gone as (delete from request_bodies where ctid = any(array(
       select ctid from request_bodies where (at at time zone 'UTC') < ($1::timestamptz at time zone 'UTC')
        order by at at time zone 'UTC' limit $2)) returning 1)
   select count(*)::int as count from gone`,
)

/** Deletes the oldest before a moment. Returns how many. */
export async function forgetRequestBodies(tx: Tx, before: Date, most: number): Promise<number> {
  return (await tx.query<{ count: number }>(FORGET, [before, most]))[0]!.count
}
