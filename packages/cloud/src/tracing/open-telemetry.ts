import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Attributes as OtelAttributes,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { TracingConfig } from '../config/index.ts'
import { ATTRIBUTES, type Attributes, type Span, type TraceParent, type Tracing } from './tracing.ts'

/** Spans that wait to be sent; further ones are dropped. */
const MAX_QUEUED_SPANS = 2_048
const CLOSE_TIMEOUT_MS = 2_000

/** Time after which code no longer belongs to the trace that caused it. */
const CONTEXT_LIFETIME_MS = 60_000

const KINDS = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT } as const

const ALLOWED: ReadonlySet<string> = new Set(ATTRIBUTES)

export interface OpenTelemetryDeps {
  readonly config: TracingConfig
  readonly version: string
  /** Name of this node. */
  readonly node: string
  readonly log: Pick<Logger, 'warn' | 'info'>
}

/** Opens tracing with the OpenTelemetry SDK, which sends batches to a collector. A collector that is away delays nothing. */
export async function openTelemetry({ config, version, node, log }: OpenTelemetryDeps): Promise<Tracing> {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': config.serviceName,
      'service.version': version,
      'service.instance.id': node,
      ...config.resourceAttributes,
    }),
    sampler: samplerOf(config),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reportingOutages(await createExporter(config), log),
        maxQueueSize: MAX_QUEUED_SPANS,
        scheduledDelayMillis: config.delayMs,
        exportTimeoutMillis: config.timeoutMs,
      }),
    ],
    spanLimits: { attributeCountLimit: ATTRIBUTES.length, attributeValueLengthLimit: 128 },
  })
  const tracer = provider.getTracer('glasses-cloud', version)
  const contexts = new AsyncLocalStorage<{
    readonly context: TraceParent | undefined
    readonly until: number
  }>()
  // Timers keep the context in which they were set, and a task may set its next timer for ever.
  const current = () => {
    const found = contexts.getStore()
    return found && performance.now() < found.until ? found.context : undefined
  }
  const start: Tracing['start'] = (name, { kind = 'internal', attributes, startTime, ...options } = {}) => {
    const parent = 'parent' in options ? options.parent : current()
    const span = tracer.startSpan(
      name,
      { kind: KINDS[kind], attributes: allowed(attributes), ...(startTime !== undefined && { startTime }) },
      parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parseContext(parent)),
    )
    return {
      context: formatContext(span.spanContext()),
      set: (added) => void span.setAttributes(allowed(added)),
      end(error) {
        if (error !== undefined) {
          span.setAttributes({ 'error.type': error })
          span.setStatus({ code: SpanStatusCode.ERROR })
        }
        span.end()
      },
    } satisfies Span
  }
  const within: Tracing['within'] = (context, task) =>
    contexts.run({ context, until: performance.now() + CONTEXT_LIFETIME_MS }, task)
  return {
    isOn: true,
    current,
    start,
    within,
    async run(name, options, task) {
      const span = start(name, options)
      try {
        const result = await within(span.context, task)
        span.end()
        return result
      } catch (error) {
        span.end(errorTypeOf(error))
        throw error
      }
    },
    async close() {
      const timeout = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_TIMEOUT_MS).unref())
      await Promise.race([provider.shutdown().catch(() => {}), timeout])
    },
  }
}

/** The name of the code or the class of an error: its message may contain what a user wrote. */
function errorTypeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  if (typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code)) return code
  return typeof name === 'string' && /^\w{1,40}$/.test(name) ? name : 'Error'
}

function allowed(attributes: Attributes = {}): OtelAttributes {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => ALLOWED.has(name)))
}

function formatContext({ traceId, spanId, traceFlags }: SpanContext): TraceParent {
  return `00-${traceId}-${spanId}-${traceFlags & TraceFlags.SAMPLED ? '01' : '00'}`
}

function parseContext(context: TraceParent): SpanContext {
  const [, traceId = '', spanId = '', flags] = context.split('-')
  return {
    traceId,
    spanId,
    traceFlags: flags === '01' ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
  }
}

function samplerOf({ sampler, ratio }: TracingConfig): Sampler {
  const name = sampler.replace(/^parentbased_/, '')
  const root =
    name === 'always_on'
      ? new AlwaysOnSampler()
      : name === 'always_off'
        ? new AlwaysOffSampler()
        : new TraceIdRatioBasedSampler(ratio)
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}

async function createExporter({
  endpoint,
  headers,
  protocol,
  timeoutMs,
}: TracingConfig): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto')
  return new OTLPTraceExporter({
    url: endpoint.href,
    headers,
    timeoutMillis: timeoutMs,
    concurrencyLimit: 2,
  })
}

/** Logs when batches begin to be lost and when they arrive again. */
function reportingOutages(exporter: SpanExporter, log: OpenTelemetryDeps['log']): SpanExporter {
  let isFailing = false
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.code !== 0
        if (failed && !isFailing)
          log.warn('tracing: spans could not be sent to OTEL_EXPORTER_OTLP_ENDPOINT; they are lost')
        if (!failed && isFailing) log.info('tracing: spans are sent again')
        isFailing = failed
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}
