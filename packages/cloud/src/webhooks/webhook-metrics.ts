import type { Metrics } from '../http/metrics.ts'
import type { WebhookKind, WebhookObserver, WebhookResponse } from './webhook-client.ts'

const KINDS: readonly WebhookKind[] = ['start', 'stop', 'settings', 'tool', 'photo', 'health', 'other']

const RESULTS = [
  'ok',
  'refused_5xx',
  'refused_other',
  'timeout',
  'forbidden_address',
  'no_address',
  'answer_too_long',
  'network',
] as const

type Result = (typeof RESULTS)[number]

/** Failures before there is a response; all others are `network`. */
const FAILURES: ReadonlyMap<string, Result> = new Map([
  ['TIMEOUT', 'timeout'],
  ['FORBIDDEN_ADDRESS', 'forbidden_address'],
  ['NO_ADDRESS', 'no_address'],
  ['ANSWER_TOO_LONG', 'answer_too_long'],
])

/** Measures the calls of app servers by kind and result. No label names an app. */
export function webhookMetrics(metrics: Metrics): WebhookObserver {
  const calls = metrics.counter(
    'webhook_calls_total',
    'Calls of app servers, by what for and with what result',
    ['kind', 'result'],
    KINDS.flatMap((kind) => RESULTS.map((result) => ({ kind, result }))),
  )
  const duration = metrics.histogram(
    'webhook_duration_seconds',
    'Time of the calls of app servers',
    ['kind'],
    [0.05, 0.2, 0.5, 1, 2, 5, 10, 20],
    KINDS.map((kind) => ({ kind })),
  )
  return (kind, response, ms) => {
    calls.inc({ kind, result: resultOf(response) })
    duration.observe({ kind }, ms / 1_000)
  }
}

function resultOf(response: WebhookResponse): Result {
  if (response.ok) return 'ok'
  if (response.status !== undefined) return response.status >= 500 ? 'refused_5xx' : 'refused_other'
  return FAILURES.get(response.code) ?? 'network'
}
