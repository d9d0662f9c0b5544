// Where finished parts of traces go, if a collector is configured.
import type { Config } from '../config/config.ts'
import type { TraceExporter } from '../export-traces.ts'
import type { Logger } from '../logging.ts'

export async function openTraces(
  { traceCollector }: Pick<Config, 'traceCollector'>,
  role: 'api' | 'worker' | 'serve',
  log: Logger,
): Promise<TraceExporter | null> {
  if (traceCollector === null) return null
  // Loaded only where it is wanted: a start without it takes no longer.
  const { createTraceExporter } = await import('../export-traces.ts')
  return createTraceExporter({
    endpoint: traceCollector,
    role,
    onDropped: (dropped, error) => log.warn({ dropped, err: error }, 'traces could not be sent'),
  })
}
