import type { Logger } from 'pino'
import type { TracingConfig } from '../config/index.ts'
import { NO_TRACING, type TraceParent, type Tracing } from './tracing.ts'

export { NO_TRACING, type Span, type TraceParent, type Tracing } from './tracing.ts'

const PATTERN = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** Returns a `traceparent` that another node sent, or undefined if it has another form. */
export function readTraceParent(value: unknown): TraceParent | undefined {
  return typeof value === 'string' && PATTERN.test(value) ? value : undefined
}

/** Returns the id of the trace. */
export function traceIdOf(context: TraceParent): string {
  return PATTERN.exec(context)?.[1] ?? ''
}

/** Returns the context if its trace is recorded. */
export function ifRecorded(context: TraceParent | undefined): TraceParent | undefined {
  return context?.endsWith('-01') ? context : undefined
}

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
