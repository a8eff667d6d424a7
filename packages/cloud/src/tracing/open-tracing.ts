import type { Logger } from 'pino'
import type { TracingConfig } from '../config/index.ts'
import { NO_TRACING, type Tracing } from './tracing.ts'

interface TracingDeps {
  /** Undefined: nothing is recorded. */
  readonly config: TracingConfig | undefined
  readonly version: string
  /** Name of this node. */
  readonly node: string
  readonly log: Pick<Logger, 'warn' | 'info'>
}

/** Opens tracing. Without a collector, the OpenTelemetry SDK is not loaded. */
export async function openTracing({ config, ...deps }: TracingDeps): Promise<Tracing> {
  if (config === undefined) return NO_TRACING
  const { openTelemetry } = await import('./open-telemetry.ts')
  return openTelemetry({ config, ...deps })
}
