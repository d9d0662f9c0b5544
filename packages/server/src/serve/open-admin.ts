// Opens the small server for monitoring a process, where one is configured.
import { chooseModulusTable } from '../domain/modulus/chosen-table.ts'
import { type Config, ConfigError } from '../config/config.ts'
import type { Service } from '../compose.ts'
import { openOnFreePort } from './listen.ts'

export interface AdminDoor {
  readonly url: string
  readonly close: () => Promise<void>
}

/** Only on the configured port: on another one, monitoring would ask somebody else. */
export async function openAdmin(
  { adminHost: host, adminPort }: Config,
  service: Service,
  role: 'api' | 'worker',
): Promise<AdminDoor | null> {
  if (adminPort === null) return null
  const app = await service.admin(role)
  const open = (port: number) => app.listen({ host, port })
  const { opened: url } = await openOnFreePort({ host, port: adminPort, name: 'ADMIN_PORT', isFixed: true, open })
  return { url, close: () => app.close() }
}

/** An unusable table ends the start, and not the first live payout. */
export function useModulusTable({ modulusTable }: Config): void {
  try {
    chooseModulusTable(modulusTable)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError([`MODULUS_TABLE cannot be used. ${reason}`])
  }
}
