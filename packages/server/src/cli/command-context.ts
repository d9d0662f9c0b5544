// What every command is given. It loads nothing of the service: help must not wait for it.
import { type Config, readConfig } from '../config/config.ts'
import type { Env } from '../config/env.ts'

export interface CommandContext {
  readonly config: Config
  readonly env: Env
}

/** Settings are read only when a command asks for them: help must work whatever the environment says. */
export function commandContext(env: Env): CommandContext {
  let config: Config | null = null
  return {
    env,
    get config() {
      config ??= readConfig(env)
      return config
    },
  }
}
