// What lies between a process and the bank: it loses, delays and doubles requests, and loses and delays answers.
import { RailUnavailable } from '../../src/rail/port.ts'
import type { ProviderClient, ProviderReply, ProviderRequest } from '../../src/rail/provider/provider-client.ts'
import type { Dice } from '../support/dice.ts'
import type { BankActor } from './bank-actor.ts'
import type { Actor, World } from './world.ts'

/** How long we wait for an answer. */
const PATIENCE_MS = 10_000
/** No gateway holds a request for longer. */
const LONGEST_HELD_MS = 50_000

const UNKNOWN: ProviderReply = { kind: 'unknown', reason: 'The bank did not answer.' }
const NOT_SENT: ProviderReply = { kind: 'not_sent', reason: 'The bank could not be reached.' }

interface Held {
  readonly request: ProviderRequest
  readonly at: number
}

export class Network {
  readonly #world: World
  readonly #bank: BankActor
  #held: Held[] = []
  /** Of a hundred requests, how many something happens to. */
  trouble = 0
  /** Whoever acts now draws from it. */
  dice: Dice

  constructor(world: World, bank: BankActor, dice: Dice) {
    this.#world = world
    this.#bank = bank
    this.dice = dice
    world.onTime = (now) => this.#deliverHeld(now)
  }

  #deliverHeld(now: number): void {
    const due = this.#held.filter(({ at }) => at <= now)
    this.#held = this.#held.filter(({ at }) => at > now)
    for (const { request, at } of due) this.#bank.hear(request, at, this.dice)
  }

  #hold(request: ProviderRequest): void {
    this.#held.push({ request, at: this.#world.now + 1 + this.dice.draw(LONGEST_HELD_MS) })
  }

  /** A client of the bank's API, as one process has it. */
  clientOf(actor: Actor): ProviderClient {
    const call = async (request: ProviderRequest) => {
      const reply = await this.#world.atGate(actor, () => this.#send(request))
      // The answer is on its way, and others may go on meanwhile.
      return this.#world.atGate(actor, () => reply)
    }
    return { call } as unknown as ProviderClient
  }

  #send(request: ProviderRequest): ProviderReply {
    const { dice } = this
    if (dice.draw(100) >= this.trouble) return this.#arrive(request)
    switch (dice.draw(6)) {
      case 0:
        return NOT_SENT
      case 1:
        this.#world.pass(PATIENCE_MS)
        return UNKNOWN
      case 2:
        this.#arrive(request)
        this.#world.pass(dice.draw(PATIENCE_MS))
        return UNKNOWN
      case 3:
        this.#hold(request)
        this.#world.pass(PATIENCE_MS)
        return UNKNOWN
      case 4: {
        const reply = this.#arrive(request)
        // A copy of what a busy bank sent away is sent away with it.
        if (reply.kind !== 'answered' || reply.status !== 429) this.#hold(request)
        return reply
      }
      default:
        this.#world.pass(dice.draw(PATIENCE_MS))
        return this.#arrive(request)
    }
  }

  #arrive(request: ProviderRequest): ProviderReply {
    return this.#bank.hear(request, this.#world.now, this.dice)
  }

  /** What a wallet holds, if the bank can be asked. */
  balanceFor(actor: Actor): Promise<bigint> {
    return this.#world.atGate(actor, () => {
      if (this.dice.draw(100) < this.trouble) throw new RailUnavailable('The bank could not be reached.')
      return this.#bank.balance
    })
  }
}
