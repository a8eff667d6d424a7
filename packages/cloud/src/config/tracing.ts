import type { EnvReader } from './env.ts'
import type { SettingName } from './settings/index.ts'

const SAMPLERS = [
  'parentbased_traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'traceidratio',
  'always_on',
  'always_off',
] as const

const TIMEOUT_BOUNDS = { min: 100, max: 60_000 }

/** Where traces are sent, and which. */
export interface TracingConfig {
  /** Where spans are posted. */
  readonly endpoint: URL
  readonly protocol: 'http/protobuf' | 'http/json'
  readonly headers: Readonly<Record<string, string>>
  /** For a batch. */
  readonly timeoutMs: number
  readonly serviceName: string
  readonly resourceAttributes: Readonly<Record<string, string>>
  readonly sampler: (typeof SAMPLERS)[number]
  /** Share of the traces that are recorded, from 0 to 1. */
  readonly ratio: number
  /** Milliseconds between two batches. */
  readonly delayMs: number
}

/** @returns undefined if there is no collector */
export function readTracing(read: EnvReader): TracingConfig | undefined {
  const base = read.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http', 'https'], 'http://127.0.0.1:4318')
  const own = read.url(
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    ['http', 'https'],
    'http://127.0.0.1:4318/v1/traces',
  )
  const timeoutMs = read.integer('OTEL_EXPORTER_OTLP_TIMEOUT', 10_000, TIMEOUT_BOUNDS)
  const hasSampler = read.text('OTEL_TRACES_SAMPLER', undefined) !== undefined
  const tracing = {
    protocol: read.oneOf('OTEL_EXPORTER_OTLP_PROTOCOL', ['http/protobuf', 'http/json'], 'http/protobuf'),
    headers: {
      ...readPairs(read, 'OTEL_EXPORTER_OTLP_HEADERS'),
      ...readPairs(read, 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'),
    },
    timeoutMs: read.integer('OTEL_EXPORTER_OTLP_TRACES_TIMEOUT', timeoutMs, TIMEOUT_BOUNDS),
    serviceName: read.text('OTEL_SERVICE_NAME', 'glasses-cloud'),
    resourceAttributes: readPairs(read, 'OTEL_RESOURCE_ATTRIBUTES'),
    sampler: read.oneOf('OTEL_TRACES_SAMPLER', SAMPLERS, 'parentbased_traceidratio'),
    ratio: Number(
      read.match(
        'OTEL_TRACES_SAMPLER_ARG',
        hasSampler ? '1' : '0.1',
        /^(?:0|1|0?\.\d+|1\.0+)$/,
        'a number from 0 to 1',
      ),
    ),
    delayMs: read.integer('OTEL_BSP_SCHEDULE_DELAY', 5_000, { min: 100, max: 60_000 }),
  }
  // As the specification says, only the general one is a base.
  if (own !== undefined) return { endpoint: own, ...tracing }
  if (base === undefined) return undefined
  const endpoint = new URL(base)
  endpoint.pathname = `${base.pathname.replace(/\/+$/, '')}/v1/traces`
  return { endpoint, ...tracing }
}

/** Reads `name=value,name=value`; values are URL-encoded. */
function readPairs(read: EnvReader, name: SettingName): Record<string, string> {
  const pairs: Record<string, string> = {}
  for (const entry of (read.text(name, undefined) ?? '').split(',')) {
    if (entry.trim() === '') continue
    const { key, value } = /^\s*(?<key>[^=\s]+)\s*=(?<value>.*)$/.exec(entry)?.groups ?? {}
    const decoded = value === undefined ? undefined : decode(value.trim())
    if (key === undefined || decoded === undefined)
      read.reject(name, 'must be name=value pairs, separated by commas, with URL-encoded values')
    else pairs[key] = decoded
  }
  return pairs
}

function decode(value: string): string | undefined {
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}
