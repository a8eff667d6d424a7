import type { TraceParent } from './tracing.ts'

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
