// Reading the partner's answers leniently: what is unknown is ignored, what is missing is said.
import { RailUnavailable } from '../rail.ts'

export type Json = Readonly<Record<string, unknown>>

/** An answer that cannot be read is as good as none. */
export class UnreadableAnswer extends RailUnavailable {}

export function asObject(value: unknown): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json
  throw new UnreadableAnswer('The bank’s answer is not an object.')
}

export function text(json: Json, name: string): string {
  const value = json[name]
  if (typeof value === 'string' && value !== '') return value
  throw new UnreadableAnswer(`The bank’s answer has no ${name}.`)
}

export function optionalText(json: Json, name: string): string | null {
  const value = json[name]
  return typeof value === 'string' && value !== '' ? value : null
}

export function moment(json: Json, name: string): Date {
  const value = new Date(text(json, name))
  if (!Number.isNaN(value.getTime())) return value
  throw new UnreadableAnswer(`The bank’s answer has a ${name} that is no moment.`)
}

/** The rows of a list answer, each an object. */
export function rows(value: unknown): Json[] {
  const { data } = asObject(value)
  if (!Array.isArray(data)) throw new UnreadableAnswer('The bank’s list has no data.')
  return data.map(asObject)
}

/** The partner writes its errors in several shapes; whatever code and message can be found. */
export function errorWords(body: unknown): { code: string; message: string } {
  const json = typeof body === 'object' && body !== null ? (body as Json) : {}
  const inner = Array.isArray(json['errors']) ? ((json['errors'][0] ?? {}) as Json) : json
  return {
    code: optionalText(inner, 'code') ?? 'none',
    message: (optionalText(inner, 'message') ?? 'no message').slice(0, 200),
  }
}
