// Requests that never arrive whole: a broken request line, headers that are too large, a body that does not come. They
// are answered on the bare socket, in the same shape as everything else.
import type { ErrorCode } from '@kestrel/contract'
import { STATUS_CODES } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import { newId } from '../core/ids.ts'
import type { Clock } from '../core/clock.ts'
import { errorBody } from './errors/error-body.ts'
import { statusOf } from './errors/error-catalogue.ts'
import { SECURITY_HEADERS } from './security-headers.ts'

export function createClientErrorHandler(clock: Clock, publicUrl: string) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    // The other side is gone or has said nothing yet, or another answer comes first.
    if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0 || isBeingAnswered(socket)) {
      socket.destroy()
      return
    }
    const { status, headers, body } = bareAnswer(failureOf(error.code), clock, publicUrl)
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'))
  }
}

/** Node would answer an unknown Expect header by itself, without a body. */
export function createExpectationHandler(clock: Clock, publicUrl: string) {
  return (_request: IncomingMessage, response: ServerResponse): void => {
    const failure = {
      code: 'bad_request',
      message: 'The header Expect asks for something that is not done here.',
    } as const
    const { headers, body } = bareAnswer(failure, clock, publicUrl)
    response.writeHead(417, headers).end(body)
  }
}

function bareAnswer(failure: { code: ErrorCode; message: string }, clock: Clock, publicUrl: string) {
  const requestId = newId(clock.now())
  const body = JSON.stringify(errorBody(failure, requestId, publicUrl))
  const headers = {
    ...SECURITY_HEADERS,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': requestId,
    Connection: 'close',
  }
  return { status: statusOf(failure.code), headers, body }
}

/**
 * Node keeps the answer whose turn it is on the socket. A second one would land in the middle of it, or be taken for the answer
 * to a request that had arrived whole before: perhaps a payout that is being made.
 */
function isBeingAnswered(socket: Socket): boolean {
  const { _httpMessage: answer } = socket as Socket & { _httpMessage?: ServerResponse | null }
  return answer !== undefined && answer !== null && (answer.headersSent || answer.req.complete)
}

function failureOf(cause: string | undefined): { code: ErrorCode; message: string } {
  if (cause === 'HPE_HEADER_OVERFLOW') {
    return { code: 'headers_too_large', message: 'The headers are larger than 16 KiB. Send fewer or shorter ones.' }
  }
  if (cause === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { code: 'request_timeout', message: 'The request took too long to arrive. Try again.' }
  }
  return { code: 'bad_request', message: 'The request is not HTTP as this service speaks it.' }
}
