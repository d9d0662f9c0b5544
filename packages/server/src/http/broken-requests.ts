// Requests that never become one: a broken request line, headers that are too large, a body that never arrives.
// They are answered on the bare socket, in the same shape as everything else.
import type { ErrorCode } from '@kestrel/contract'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

import { newId } from '../core/ids.ts'
import type { Clock } from '../core/clock.ts'
import { errorBody } from './error-body.ts'
import { statusOf } from './error-catalogue.ts'
import { SECURITY_HEADERS } from './security-headers.ts'

export function createClientErrorHandler(clock: Clock, publicUrl: string) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    // The other side is gone, or an answer is already on its way.
    if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
      socket.destroy()
      return
    }
    const { code, message } = failureOf(error.code)
    const requestId = newId(clock.now())
    const body = JSON.stringify(errorBody({ code, message }, requestId, publicUrl))
    const headers = {
      ...SECURITY_HEADERS,
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      'X-Request-Id': requestId,
      Connection: 'close',
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    const status = statusOf(code)
    socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'))
  }
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
