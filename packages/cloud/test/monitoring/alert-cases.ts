/**
 * Series of a healthy cloud of two nodes, as promtool reads them: `first+step x count`, one value a minute. The labels of
 * the node are added.
 */
export const HEALTHY: Readonly<Record<string, string>> = {
  up: '1x80',
  process_start_time_seconds: '1000x80',
  cloud_ready: '1x80',
  'cloud_info{version="1.0.0"}': '1x80',
  'cloud_check_ok{check="database"}': '1x80',
  nodejs_eventloop_active_seconds_total: '0+20x80',
  nodejs_eventloop_lag_p90_seconds: '0.202x80',
  process_resident_memory_bytes: '200000000x80',
  process_memory_limit_bytes: '1000000000x80',
  nodejs_heap_size_used_bytes: '80000000x80',
  nodejs_heap_size_limit_bytes: '4000000000x80',
  process_open_fds: '500x80',
  process_max_fds: '20000x80',
  'http_request_duration_seconds_count{route="/api/apps", status="200"}': '0+10000x80',
  'http_request_duration_seconds_bucket{route="/api/apps", status="200", le="0.5"}': '0+9990x80',
  'http_request_duration_seconds_count{route="/api/apps", status="500"}': '0+1x80',
  'http_request_duration_seconds_bucket{route="/api/apps", status="500", le="0.5"}': '0+1x80',
  'http_request_duration_seconds_count{route="/readyz", status="503"}': '0+100x80',
  'http_request_duration_seconds_count{route="/api/live/events", status="500"}': '0+100x80',
  'http_request_duration_seconds_count{route="/api/apps", status="429"}': '0+10x80',
  'http_request_duration_seconds_bucket{route="/api/apps", status="429", le="0.5"}': '0+10x80',
  'socket_handshakes_rejected_total{code="NOT_READY"}': '0x80',
  'socket_handshakes_rejected_total{code="LIMIT"}': '0+1x80',
  'socket_handshakes_rejected_total{code="INVALID_TOKEN"}': '0+5x80',
  'socket_messages_refused_total{socket="glasses", code="RATE_LIMITED"}': '0+10x80',
  'socket_dropped_total{kind="audio"}': '0+60x80',
  socket_slow_readers_total: '0+0x80',
  'session_events_total{event="session_failed"}': '0x80',
  'session_events_total{event="app_given_up"}': '0+0x80',
  'session_events_total{event="speech_unavailable"}': '0x80',
  'webhook_calls_total{kind="start", result="ok"}': '0+10x80',
  'webhook_calls_total{kind="start", result="timeout"}': '0+1x80',
  'speech_failures_total{provider="soniox", kind="retryable"}': '0+0x80',
  'speech_failures_total{provider="soniox", kind="authentication"}': '0x80',
  'speech_delay_seconds_bucket{provider="soniox", le="1"}': '0+100x80',
  'speech_delay_seconds_bucket{provider="soniox", le="5"}': '0+100x80',
  'speech_delay_seconds_bucket{provider="soniox", le="+Inf"}': '0+100x80',
  'database_query_errors_total{kind="constraint"}': '0+10x80',
  'database_query_errors_total{kind="lost"}': '0x80',
  'database_query_duration_seconds_bucket{le="0.1"}': '0+1000x80',
  'database_query_duration_seconds_bucket{le="0.5"}': '0+1000x80',
  'database_query_duration_seconds_bucket{le="+Inf"}': '0+1000x80',
  database_pool_waiting: '0x80',
  redis_connected: '1x80',
  cluster_nodes: '2x80',
  cluster_lease_valid: '1x80',
  cluster_lease_lapses_total: '0x80',
  'cluster_lease_renewable{place="redis"}': '1x80',
  'cluster_lease_renewable{place="database"}': '1x80',
  disk_available_bytes: '80000000000x80',
  'blob_operations_total{operation="put", result="ok"}': '0+10x80',
  'blob_operations_total{operation="put", result="rejected"}': '0+10x80',
  'blob_operations_total{operation="put", result="failed"}': '0x80',
  tls_certificate_expires_seconds: '2600000-60x80',
  tls_certificate_lifetime_seconds: '7776000x80',
  tls_renewal_failures: '0x80',
  backup_failures_total: '0x80',
  // promtool begins at 0: the time of the last backup may be negative.
  backup_unprotected_since_timestamp_seconds: '-80000x80',
  backup_interval_seconds: '86400x80',
  // A single failure, which the next run made good.
  'jobs_failed_total{feature="gallery"}': '0x20 1x60',
}

/** What is different where an alert fires; `undefined`: the series is absent. */
interface AlertCase {
  readonly series: Readonly<Record<string, string | undefined>>
  /** Series of both nodes; of the first one otherwise. */
  readonly isOfAll?: boolean
  /** Other alerts that fire, too. */
  readonly also?: readonly string[]
}

/** Each alert and what makes it fire. */
export const ALERT_CASES: Readonly<Record<string, AlertCase>> = {
  GlassesCloudDown: {
    series: { up: '0x80' },
    isOfAll: true,
    also: ['GlassesCloudNodeDown', 'GlassesCloudNodesDisagree'],
  },
  GlassesCloudNodeDown: { series: { up: '0x80' }, also: ['GlassesCloudNodesDisagree'] },
  GlassesCloudNodeRestarting: { series: { process_start_time_seconds: '1000+300x80' } },
  GlassesCloudNodeNotReady: { series: { cloud_ready: '0x80' } },
  GlassesCloudVersionSkew: {
    series: { 'cloud_info{version="1.0.0"}': undefined, 'cloud_info{version="1.1.0"}': '1x80' },
  },
  GlassesCloudEventLoopBusy: { series: { nodejs_eventloop_active_seconds_total: '0+57x80' } },
  GlassesCloudEventLoopDelayed: { series: { nodejs_eventloop_lag_p90_seconds: '0.6x80' } },
  GlassesCloudMemoryHigh: { series: { process_resident_memory_bytes: '900000000x80' } },
  GlassesCloudFileDescriptorsLow: { series: { process_open_fds: '18000x80' } },
  GlassesCloudRequestsFailing: {
    series: { 'http_request_duration_seconds_count{route="/api/apps", status="500"}': '0+1000x80' },
    also: ['GlassesCloudRequestsFailingSlowly'],
  },
  GlassesCloudRequestsFailingSlowly: {
    series: {
      'http_request_duration_seconds_count{route="/api/apps", status="500"}': '0+200x80',
      'http_request_duration_seconds_bucket{route="/api/apps", status="500", le="0.5"}': '0+200x80',
    },
  },
  GlassesCloudRequestsSlow: {
    series: {
      'http_request_duration_seconds_bucket{route="/api/apps", status="200", le="0.5"}': '0+5000x80',
    },
  },
  GlassesCloudRequestsLimited: {
    series: {
      'http_request_duration_seconds_count{route="/api/apps", status="429"}': '0+9000x80',
      'http_request_duration_seconds_bucket{route="/api/apps", status="429", le="0.5"}': '0+9000x80',
    },
  },
  GlassesCloudSocketsRefused: { series: { 'socket_handshakes_rejected_total{code="LIMIT"}': '0+10x80' } },
  GlassesCloudTokensRejected: {
    series: { 'socket_handshakes_rejected_total{code="INVALID_TOKEN"}': '0+200x80' },
  },
  GlassesCloudMessagesLimited: {
    series: { 'socket_messages_refused_total{socket="glasses", code="RATE_LIMITED"}': '0+200x80' },
  },
  GlassesCloudAudioDropped: { series: { 'socket_dropped_total{kind="audio"}': '0+1200x80' } },
  GlassesCloudSlowReaders: { series: { socket_slow_readers_total: '0+2x80' } },
  GlassesCloudSessionsFailed: { series: { 'session_events_total{event="session_failed"}': '0x70 1x10' } },
  GlassesCloudAppsFailing: { series: { 'webhook_calls_total{kind="start", result="timeout"}': '0+20x80' } },
  GlassesCloudAppsGivenUp: { series: { 'session_events_total{event="app_given_up"}': '0+1x80' } },
  GlassesCloudSpeechFailing: {
    series: { 'speech_failures_total{provider="soniox", kind="retryable"}': '0+5x80' },
  },
  GlassesCloudSpeechKeyRejected: {
    series: { 'speech_failures_total{provider="soniox", kind="authentication"}': '0x70 1x10' },
  },
  GlassesCloudSpeechUnavailable: {
    series: { 'session_events_total{event="speech_unavailable"}': '0+1x80' },
  },
  GlassesCloudSpeechSlow: {
    series: { 'speech_delay_seconds_bucket{provider="soniox", le="1"}': '0+10x80' },
    isOfAll: true,
  },
  GlassesCloudDatabaseUnreachable: { series: { 'cloud_check_ok{check="database"}': '0x80' } },
  GlassesCloudDatabaseFailing: { series: { 'database_query_errors_total{kind="lost"}': '0+5x80' } },
  GlassesCloudDatabaseSlow: {
    series: { 'database_query_duration_seconds_bucket{le="0.1"}': '0+100x80' },
    isOfAll: true,
  },
  GlassesCloudDatabasePoolFull: { series: { database_pool_waiting: '3x80' } },
  GlassesCloudRedisUnreachable: { series: { redis_connected: '0x80' } },
  GlassesCloudLeaseLost: { series: { cluster_lease_lapses_total: '0x70 1x10' } },
  GlassesCloudLeaseAtRisk: { series: { 'cluster_lease_renewable{place="redis"}': '0x80' } },
  GlassesCloudNodesDisagree: { series: { cluster_nodes: '1x80' } },
  GlassesCloudDiskReserveReached: { series: { disk_available_bytes: '-1000x80' } },
  GlassesCloudDiskFilling: { series: { disk_available_bytes: '8000000000-20000000x80' } },
  GlassesCloudFilesFailing: {
    series: { 'blob_operations_total{operation="put", result="failed"}': '0+2x80' },
  },
  GlassesCloudCertificateExpiring: { series: { tls_certificate_expires_seconds: '1290000-60x80' } },
  GlassesCloudCertificateExpired: { series: { tls_certificate_expires_seconds: '3600-60x80' } },
  GlassesCloudCertificateRenewalFailing: { series: { tls_renewal_failures: '1x80' } },
  GlassesCloudBackupFailed: { series: { backup_failures_total: '0x70 1x10' } },
  GlassesCloudBackupTooOld: {
    series: { backup_unprotected_since_timestamp_seconds: '-180000x80' },
    isOfAll: true,
  },
  GlassesCloudJobsFailing: { series: { 'jobs_failed_total{feature="gallery"}': '0+1x80' } },
}
