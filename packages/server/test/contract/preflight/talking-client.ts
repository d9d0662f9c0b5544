// The adapter's own client, which keeps what was asked and answered, so that the operator can be told.
import { isJson } from '../../../src/rail/provider/json-words.ts'
import {
  ProviderClient,
  type ProviderOptions,
  type ProviderReply,
  type ProviderRequest,
} from '../../../src/rail/provider/provider-client.ts'
import { refusalIn } from '../../../src/rail/provider/refusal-words.ts'

export interface Exchange {
  readonly request: ProviderRequest
  readonly reply: ProviderReply
  /** What was asked and answered in a line: no body, no header, and never the key. */
  readonly line: string
}

export class TalkingClient extends ProviderClient {
  readonly #apiKey: string
  #exchanges: Exchange[] = []
  readonly #underWay = new Set<Promise<ProviderReply>>()
  /** While set, a transfer is only tried: the bank says whether it would take it, and makes nothing. */
  isDry = false

  constructor(options: ProviderOptions) {
    super(options)
    this.#apiKey = options.apiKey
  }

  override async call(request: ProviderRequest): Promise<ProviderReply> {
    const talking = this.#talk(request)
    this.#underWay.add(talking)
    return talking.finally(() => this.#underWay.delete(talking))
  }

  async #talk(request: ProviderRequest): Promise<ProviderReply> {
    const { isDry } = this
    const asked = isDry && request.method === 'POST' ? dry(request) : request
    const reply = await super.call(asked)
    const line = `${asked.method} ${asked.path}${isDry ? ' (dry run)' : ''} → ${answered(reply)}`
    this.#exchanges.push({ request: asked, reply, line: this.withoutKey(line) })
    return reply
  }

  /** Waits for what is still under way: one of two requests may have failed before the other was answered. */
  async quiet(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay)
  }

  /** A bank may repeat the key in what it says. */
  withoutKey(words: string): string {
    return this.#apiKey === '' ? words : words.replaceAll(this.#apiKey, '…')
  }

  /** Forgets what was said of anything else, and gives the rest. */
  keepExchanges(isWanted: (exchange: Exchange) => boolean): readonly Exchange[] {
    this.#exchanges = this.#exchanges.filter(isWanted)
    return this.#exchanges
  }

  /** What was said since the last time somebody asked. */
  takeExchanges(): readonly Exchange[] {
    const taken = this.#exchanges
    this.#exchanges = []
    return taken
  }
}

const dry = (request: ProviderRequest): ProviderRequest => ({
  ...request,
  body: { ...request.body, dry_run: true },
  idempotencyKey: `${request.idempotencyKey}:dry`,
})

const LONGEST = 300

function answered(reply: ProviderReply): string {
  if (reply.kind !== 'answered') return reply.reason
  if (!isJson(reply.body)) return `${reply.status}, and no JSON`
  if (reply.status < 300) return String(reply.status)
  const { code, message } = refusalIn(reply.body)
  return `${reply.status} ${code}: ${message}`.slice(0, LONGEST)
}
