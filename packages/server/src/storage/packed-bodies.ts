// What is kept of a request and its answer, packed: of a payout a fifth of its bytes. Ids, key and moment stand in columns of
// their own, and are only referred to.
import { textPacker } from '../core/packed-text.ts'

/** Texts of a request as they are kept; null: there is none. */
export interface BodyTexts {
  readonly query: string | null
  readonly headers: string | null
  readonly requestBody: string | null
  readonly answerBody: string | null
}

/** What stands beside them in columns. */
export interface BesideBodies {
  readonly at: Date
  readonly subjectId: string | null
  readonly idempotencyKey: string | null
}

// Rows of up to fourteen days are read with it, so it is not changed: another one is another version.
const DICTIONARY = [
  '{"error":{"code":"invalid_request","message":"The request does not have the expected shape: ","docs_url":"https://"}}',
  '{"object":"list","data":[],"has_more":false,"next_cursor":null}',
  '{"retry":{"advised":true},"created_via":"dashboard","environment":"live","status":"pending","type":"business"',
  '"email":"****@*******.***","region":"","country":"GB","warnings":[],"quote":{"object":"quote",',
  '?\u0000{"Content-Type":"application/json"}\u0000',
  '{"amount_gbp":"25.00","reference":"******* ****","recipient":{"first_name":"*****","last_name":"*********",',
  '"address":{"line1":"** **** ******","city":"*****","postal_code":"*** ***"},',
  '"bank":{"bank_name":"*****","sort_code":"******","account_number":"********"}}}\u0000',
  '{"id":"01a1eaa1-0904-75bd-aaee-d5ab0bf1c1d6","object":"payout","environment":"sandbox","status":"processing",',
  '"country":"GB","amount_gbp":"25.00","fee_gbp":"1.24","wallet_sent_usdc":"32.07",',
  '"recipient":{"name":"***** *********","account_last4":"****"},"created_at":"2026-11-17T17:49:44.588Z",',
  '"updated_at":"2026-11-17T17:49:44.636Z","created_via":"api","reference":"******* ****",',
  '"statement_reference":"******* ****","failure_reason":null,"failure_code":null,"retry":null,"cancelable":false,',
  '"idempotency_key":"order-1000","completed_at":null,"refunded_at":null,"warnings":[{"code":"*****_*******_**_*******",',
  '"message":"First payment to this account. Check the details with the recipient.",',
  '"details":{"payout_id":null,"account_last4":"****","created_at":null}}],"quote":{"object":"quote","country":"GB",',
  '"seller_receives_gbp":"25.00","fee_gbp":"1.24","wallet_sends_usdc":"32.07","exchange_rate":{"gbp_per_usd":0.79},',
  '"fee_breakdown":{"taken_in_transfer_gbp":"0.33","on_monthly_invoice_gbp":"0.91"}}}',
].join('')
const VERSION = 1
const packer = textPacker(VERSION, DICTIONARY)

/** Which of the four there are, as a character, and they. No text has this character: PostgreSQL's texts cannot. */
const APART = '\u0000'
const THERE = 'ABCDEFGHIJKLMNOP'

export function packBodies(texts: BodyTexts, beside: BesideBodies): Buffer {
  const { query, headers, requestBody, answerBody } = texts
  const there =
    (query === null ? 0 : 1) +
    (headers === null ? 0 : 2) +
    (requestBody === null ? 0 : 4) +
    (answerBody === null ? 0 : 8)
  const text = `${THERE[there]!}${query ?? ''}${APART}${headers ?? ''}${APART}${requestBody ?? ''}${APART}${answerBody ?? ''}`
  return packer.pack(text, knownOf(beside))
}

export function unpackBodies(packed: Buffer, beside: BesideBodies): BodyTexts {
  const text = packer.unpack(packed, knownOf(beside))
  const there = THERE.indexOf(text[0]!)
  const [query, headers, requestBody, answerBody] = text
    .slice(1)
    .split(APART)
    .map((part, nth) => ((there >> nth) & 1 ? part : null))
  return { query: query!, headers: headers!, requestBody: requestBody!, answerBody: answerBody! }
}

const knownOf = ({ at, subjectId, idempotencyKey }: BesideBodies) =>
  `"${at.toISOString()}"${subjectId ?? ''}"${idempotencyKey ?? ''}"`
