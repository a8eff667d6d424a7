export { openTracing } from './open-tracing.ts'
export { ifRecorded, readTraceParent, traceIdOf } from './trace-parent.ts'
export { NO_TRACING, type Span, type TraceParent, type Tracing } from './tracing.ts'
