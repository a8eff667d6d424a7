/** A panel of the Grafana board. */
export interface Panel {
  /** `timeseries` by default. */
  readonly type?: 'stat' | 'timeseries' | 'table'
  readonly title: string
  /** What the panel shows and what is normal, for a reader who knows the cloud from outside only. */
  readonly description: string
  /** A unit of Grafana. */
  readonly unit: string
  /** PromQL and the legend. */
  readonly queries: readonly (readonly [expr: string, legend: string])[]
  /** Columns of 24; by the type of the panel by default. */
  readonly width?: number
  readonly min?: number
  readonly max?: number
  readonly isStacked?: boolean
  /** Values from which a color applies; green below. */
  readonly thresholds?: readonly (readonly [from: number, color: string])[]
  /** Texts and colors of values. */
  readonly mappings?: readonly (readonly [value: number, text: string, color: string])[]
}

/** A row of panels. */
export interface Section {
  readonly title: string
  readonly panels: readonly Panel[]
}

const NODES = 'job="$job", instance=~"$instance"'
/** Routes that are answered at once: without streams, and without calls that wait for others. */
const PROMPT = 'route!~"/readyz|.*/(stream|events|start|stop|upload|ping)|/api/(tts|tools|photos|gallery).*"'
const NO_STREAMS = 'route!~"/readyz|.*/(stream|events)"'

const value = (name: string, labels = '') => `${name}{${NODES}${labels && `, ${labels}`}}`
const rate = (name: string, labels = '') => `rate(${value(name, labels)}[$__rate_interval])`
const sum = (name: string, by = '') => `sum${by && ` by (${by})`} (${value(name)})`
const sumRate = (name: string, by = '', labels = '') => `sum${by && ` by (${by})`} (${rate(name, labels)})`
const quantile = (q: number, name: string, by = '', labels = '') =>
  `histogram_quantile(${q}, sum by (le${by && `, ${by}`}) (${rate(`${name}_bucket`, labels)}))`

const YES_NO = (yes: string, no: string) =>
  [
    [1, yes, 'green'],
    [0, no, 'red'],
  ] as const

/** The rows of the board and their panels. */
export const BOARD_SECTIONS: readonly Section[] = [
  {
    title: 'Overview',
    panels: [
      {
        type: 'stat',
        title: 'Nodes up',
        description: 'Nodes that answer Prometheus. Fewer than you run: one is down or cannot be reached.',
        unit: 'none',
        queries: [['sum(up{job="$job", instance=~"$instance"})', 'up']],
        thresholds: [],
      },
      {
        type: 'stat',
        title: 'Live sessions',
        description: 'Users with connected glasses, or with glasses that were lost in the last minute.',
        unit: 'none',
        queries: [[sum('user_sessions'), 'sessions']],
      },
      {
        type: 'stat',
        title: 'Availability, 24 h',
        description:
          'Share of requests that did not fail with a 5xx status in the last 24 hours. The goal is 99.9 %.',
        unit: 'percentunit',
        queries: [
          [
            `1 - (sum(increase(http_request_duration_seconds_count{${NODES}, ${NO_STREAMS}, status=~"5.."}[24h])) or vector(0)) / sum(increase(http_request_duration_seconds_count{${NODES}, ${NO_STREAMS}}[24h]))`,
            'availability',
          ],
        ],
        max: 1,
        thresholds: [
          [0, 'red'],
          [0.995, 'yellow'],
          [0.999, 'green'],
        ],
      },
      {
        type: 'stat',
        title: 'Prompt requests, 1 h',
        description:
          'Share of requests that were answered within 0.5 s in the last hour, without those that wait for apps, uploads or speech.',
        unit: 'percentunit',
        queries: [
          [
            `sum(increase(http_request_duration_seconds_bucket{${NODES}, ${PROMPT}, le="0.5"}[1h])) / sum(increase(http_request_duration_seconds_count{${NODES}, ${PROMPT}}[1h]))`,
            'prompt',
          ],
        ],
        max: 1,
        thresholds: [
          [0, 'red'],
          [0.9, 'yellow'],
          [0.99, 'green'],
        ],
      },
      {
        type: 'stat',
        title: 'App starts that fail, 1 h',
        description:
          'Share of calls that start an app which the server of the app did not accept. App servers belong to developers: a single app that fails is theirs.',
        unit: 'percentunit',
        queries: [
          [
            `sum(increase(webhook_calls_total{${NODES}, kind="start", result!="ok"}[1h])) / sum(increase(webhook_calls_total{${NODES}, kind="start"}[1h]))`,
            'failing',
          ],
        ],
        thresholds: [
          [0.1, 'yellow'],
          [0.3, 'red'],
        ],
      },
      {
        type: 'stat',
        title: 'Firing alerts',
        description: 'Alerts of the rules in ops/monitoring/alerts.yml that fire now.',
        unit: 'none',
        queries: [['count(ALERTS{alertname=~"GlassesCloud.*", alertstate="firing"}) or vector(0)', 'firing']],
        thresholds: [[1, 'red']],
      },
    ],
  },
  {
    title: 'Sessions and sockets',
    panels: [
      {
        title: 'Live sessions by node',
        description:
          'Sessions that each node owns. They spread with the sockets: the first socket of a user decides.',
        unit: 'none',
        min: 0,
        isStacked: true,
        queries: [[value('user_sessions'), '{{instance}}']],
      },
      {
        title: 'Open sockets',
        description: 'Open sockets of glasses and of apps. Relayed: those whose session is on another node.',
        unit: 'none',
        min: 0,
        queries: [
          [sum('glasses_sockets'), 'glasses'],
          [sum('app_sockets'), 'apps'],
          [sum('relayed_sockets'), 'relayed'],
        ],
      },
      {
        title: 'Rejected handshakes',
        description:
          'Sockets that were not opened, by reason. NOT_READY: the node starts or stops. LIMIT: too many sockets that do not authenticate. INVALID_TOKEN: expired or foreign tokens.',
        unit: 'ops',
        min: 0,
        queries: [[sumRate('socket_handshakes_rejected_total', 'code'), '{{code}}']],
      },
      {
        title: 'Refused messages',
        description:
          'Messages on sockets that were answered with an error, by the code of the error. RATE_LIMITED: a client sends more than it may.',
        unit: 'ops',
        min: 0,
        queries: [[sumRate('socket_messages_refused_total', 'socket, code'), '{{socket}} {{code}}']],
      },
      {
        title: 'Slow readers',
        description:
          'Sockets that were closed because the client read too slowly. A few come from bad mobile networks.',
        unit: 'ops',
        min: 0,
        queries: [[sumRate('socket_slow_readers_total', 'instance'), '{{instance}}']],
      },
      {
        title: 'Session events',
        description:
          'What goes wrong inside sessions, by event. session_failed is a defect of the cloud: one session was ended by an exception.',
        unit: 'ops',
        min: 0,
        queries: [[sumRate('session_events_total', 'event'), '{{event}}']],
      },
    ],
  },
  {
    title: 'Apps and webhooks',
    panels: [
      {
        title: 'Calls of app servers',
        description: 'Webhooks and other calls to app servers, by what they are for.',
        unit: 'ops',
        min: 0,
        queries: [[sumRate('webhook_calls_total', 'kind'), '{{kind}}']],
      },
      {
        title: 'Failed calls of app servers',
        description:
          'Calls without a 2xx answer, by kind and result. Health checks of servers that are down are among them.',
        unit: 'ops',
        min: 0,
        queries: [[sumRate('webhook_calls_total', 'kind, result', 'result!="ok"'), '{{kind}} {{result}}']],
      },
      {
        title: 'Time of calls (95th percentile)',
        description: 'How long app servers take to answer. The start of an app waits for this.',
        unit: 's',
        min: 0,
        queries: [[quantile(0.95, 'webhook_duration_seconds', 'kind'), '{{kind}}']],
      },
      {
        title: 'App starts and losses',
        description: 'Starts that failed, and apps that were given up because they did not reconnect.',
        unit: 'ops',
        min: 0,
        queries: [
          [
            sumRate(
              'session_events_total',
              'event',
              'event=~"app_start_failed|app_given_up|app_frames_dropped"',
            ),
            '{{event}}',
          ],
        ],
      },
    ],
  },
  {
    title: 'Audio and speech',
    panels: [
      {
        title: 'Dropped audio',
        description:
          'Audio frames that were not sent on, because an app or the glasses read too slowly, and frames that could not be decoded. Normally close to zero.',
        unit: 'ops',
        min: 0,
        queries: [
          [sumRate('socket_dropped_total', '', 'kind="audio"'), 'dropped'],
          [sumRate('glasses_audio_undecodable_total'), 'undecodable'],
        ],
      },
      {
        title: 'Speech streams',
        description:
          'Streams of sessions that are recognized by the cloud, and open connections to speech providers.',
        unit: 'none',
        min: 0,
        queries: [
          [sum('speech_streams'), 'streams'],
          [sum('speech_provider_connections'), 'connections'],
        ],
      },
      {
        title: 'Audio sent to providers',
        description:
          'Seconds of audio sent to each speech provider in a second: the number of people who speak at a time. Most providers charge for it.',
        unit: 'none',
        min: 0,
        queries: [[sumRate('speech_streamed_seconds_total', 'provider'), '{{provider}}']],
      },
      {
        title: 'Delay of speech',
        description: 'Time from the arrival of audio to its text: the half and the slowest twentieth.',
        unit: 's',
        min: 0,
        queries: [
          [quantile(0.5, 'speech_delay_seconds', 'provider'), '{{provider}} p50'],
          [quantile(0.95, 'speech_delay_seconds', 'provider'), '{{provider}} p95'],
        ],
      },
      {
        title: 'Failures of speech providers',
        description:
          'Failed streams by provider and kind, and streams that another provider took over. authentication: the key was rejected; quota: the account is used up.',
        unit: 'ops',
        min: 0,
        queries: [
          [sumRate('speech_failures_total', 'provider, kind'), '{{provider}} {{kind}}'],
          [sumRate('speech_failovers_total', 'from'), 'taken over from {{from}}'],
        ],
      },
      {
        title: 'Spoken texts',
        description:
          'Texts of apps that were spoken, by where the sound came from: the provider, the cache, or another request at the same time.',
        unit: 'ops',
        min: 0,
        queries: [[sumRate('speech_total', 'source'), '{{source}}']],
      },
    ],
  },
  {
    title: 'REST',
    panels: [
      {
        title: 'Requests',
        description:
          'Requests a second by class of status. 4xx are mistakes of clients; 5xx are failures of the cloud.',
        unit: 'reqps',
        min: 0,
        isStacked: true,
        queries: ['2', '3', '4', '5'].map(
          (digit) =>
            [
              sumRate('http_request_duration_seconds_count', '', `status=~"${digit}.."`),
              `${digit}xx`,
            ] as const,
        ),
      },
      {
        title: 'Failed requests by route',
        description:
          'The routes with the most 5xx answers. 503 of /readyz belongs to nodes that start or stop.',
        unit: 'reqps',
        min: 0,
        queries: [
          [
            `topk(10, ${sumRate('http_request_duration_seconds_count', 'method, route, status', 'status=~"5.."')})`,
            '{{method}} {{route}} {{status}}',
          ],
        ],
      },
      {
        title: 'Time of requests',
        description:
          'Time to the end of the response, without event streams and without requests that wait for apps, uploads or speech.',
        unit: 's',
        min: 0,
        queries: [0.5, 0.95, 0.99].map(
          (q) => [quantile(q, 'http_request_duration_seconds', '', PROMPT), `p${q * 100}`] as const,
        ),
      },
      {
        title: 'Slowest routes (95th percentile)',
        description:
          'The ten slowest routes. Starts of apps, uploads and speech take as long as the app, the network or the speaker.',
        unit: 's',
        min: 0,
        queries: [
          [
            `topk(10, ${quantile(0.95, 'http_request_duration_seconds', 'method, route', NO_STREAMS)})`,
            '{{method}} {{route}}',
          ],
        ],
      },
      {
        title: 'Limited requests',
        description:
          'Requests that were answered with 429, because a user, an app or an address sent too many.',
        unit: 'reqps',
        min: 0,
        queries: [[sumRate('http_request_duration_seconds_count', 'route', 'status="429"'), '{{route}}']],
      },
    ],
  },
  {
    title: 'Database and Redis',
    panels: [
      {
        title: 'Queries',
        description: 'Database queries a second of each node.',
        unit: 'ops',
        min: 0,
        queries: [[sumRate('database_query_duration_seconds_count', 'instance'), '{{instance}}']],
      },
      {
        title: 'Time of queries',
        description:
          'Time of database queries. SQLite answers within a millisecond, PostgreSQL within a few.',
        unit: 's',
        min: 0,
        queries: [0.5, 0.95, 0.99].map(
          (q) => [quantile(q, 'database_query_duration_seconds'), `p${q * 100}`] as const,
        ),
      },
      {
        title: 'Failed queries',
        description:
          'Failed queries by kind. lost: no connection; timeout: took too long; busy: waited too long for a lock. A violated constraint is normal, when two requests create the same thing.',
        unit: 'ops',
        min: 0,
        queries: [[sumRate('database_query_errors_total', 'kind'), '{{kind}}']],
      },
      {
        title: 'Connections of the pool',
        description:
          'Connections to PostgreSQL of each node, and queries that wait for one. Waiting queries for minutes: raise DATABASE_POOL_SIZE, or find the slow query. Empty with SQLite.',
        unit: 'none',
        min: 0,
        queries: [
          [sum('database_pool_connections', 'instance, state'), '{{instance}} {{state}}'],
          [sum('database_pool_waiting', 'instance'), '{{instance}} waiting'],
        ],
      },
      {
        title: 'Redis connection',
        description:
          'Whether each node is connected to Redis, over which nodes exchange messages. Empty with a single node.',
        unit: 'none',
        min: 0,
        max: 1,
        queries: [[value('redis_connected'), '{{instance}}']],
      },
      {
        title: 'Lost connections to Redis',
        description:
          'How often nodes lost Redis or each other. Sockets whose session is on another node reconnect then.',
        unit: 'none',
        min: 0,
        queries: [
          [
            `sum by (instance) (increase(${value('redis_disconnections_total')}[$__rate_interval]))`,
            '{{instance}} Redis',
          ],
          [
            `sum by (instance) (increase(${value('cluster_nodes_lost_total')}[$__rate_interval]))`,
            '{{instance}} other node',
          ],
        ],
      },
    ],
  },
  {
    title: 'Nodes',
    panels: [
      {
        type: 'table',
        title: 'Nodes and versions',
        description:
          'Each node that answers, with the version it runs and its database. All should run the same version, except during an upgrade.',
        unit: 'none',
        queries: [[value('cloud_info'), '']],
      },
      {
        type: 'stat',
        title: 'Ready',
        description: 'Whether the balancer should send requests to each node.',
        unit: 'none',
        width: 6,
        queries: [[value('cloud_ready'), '{{instance}}']],
        mappings: YES_NO('ready', 'not ready'),
        thresholds: [
          [0, 'red'],
          [1, 'green'],
        ],
      },
      {
        type: 'stat',
        title: 'Checks',
        description: 'Whether what requests need works, as the node sees it.',
        unit: 'none',
        width: 6,
        queries: [[value('cloud_check_ok'), '{{instance}} {{check}}']],
        mappings: YES_NO('ok', 'fails'),
        thresholds: [
          [0, 'red'],
          [1, 'green'],
        ],
      },
      {
        title: 'Nodes in the cluster',
        description:
          'Nodes with a valid lease, as each node sees them. All lines should agree. Empty with a single node.',
        unit: 'none',
        min: 0,
        queries: [[value('cluster_nodes'), '{{instance}}']],
      },
      {
        title: 'Leases',
        description:
          'Whether each node holds the lease under which it owns sessions, and where it can be renewed.',
        unit: 'none',
        min: 0,
        max: 1,
        queries: [
          [value('cluster_lease_valid'), '{{instance}} valid'],
          [value('cluster_lease_renewable'), '{{instance}} in {{place}}'],
        ],
      },
      {
        title: 'Lapsed leases',
        description:
          'How often a node lost its lease and abandoned its sessions. Each is an interruption for all wearers of the node.',
        unit: 'none',
        min: 0,
        queries: [[`increase(${value('cluster_lease_lapses_total')}[$__rate_interval])`, '{{instance}}']],
      },
    ],
  },
  {
    title: 'Storage',
    panels: [
      {
        title: 'Free disk space above the reserve',
        description:
          'Free bytes on the disk of DATA_DIR beyond DISK_RESERVE_MB. Below zero, uploads are refused.',
        unit: 'bytes',
        queries: [[value('disk_available_bytes'), '{{instance}}']],
        thresholds: [],
      },
      {
        title: 'File operations',
        description:
          'Photos, exports and attachments that were stored, read and deleted, in the folder or the S3 bucket.',
        unit: 'ops',
        min: 0,
        queries: [[sumRate('blob_operations_total', 'operation, result'), '{{operation}} {{result}}']],
      },
      {
        title: 'Stored bytes',
        description: 'Bytes of files that are stored in a second.',
        unit: 'Bps',
        min: 0,
        queries: [[sumRate('blob_written_bytes_total', 'instance'), '{{instance}}']],
      },
      {
        title: 'Time of file operations (95th percentile)',
        description: 'Time to store a file, its receiving included, to open one, and to delete one.',
        unit: 's',
        min: 0,
        queries: [[quantile(0.95, 'blob_operation_duration_seconds', 'operation'), '{{operation}}']],
      },
    ],
  },
  {
    title: 'Certificate, backup and jobs',
    panels: [
      {
        title: 'Certificate expires in',
        description:
          'Time until the certificate of each node expires. It is renewed with a third of its lifetime left. Empty with TLS=off.',
        unit: 's',
        queries: [[value('tls_certificate_expires_seconds'), '{{instance}}']],
        thresholds: [],
      },
      {
        title: 'Failed renewals',
        description:
          'Attempts in a row that could not obtain, renew or reload the certificate. Normally zero. Empty with TLS=off.',
        unit: 'none',
        min: 0,
        queries: [[value('tls_renewal_failures'), '{{instance}}']],
      },
      {
        title: 'Age of the last backup',
        description:
          'Time since the last verified backup, and the time between two of them. Empty without BACKUP_EVERY and before the first.',
        unit: 's',
        min: 0,
        queries: [
          [`time() - max(${value('backup_last_success_timestamp_seconds')})`, 'age'],
          [`max(${value('backup_interval_seconds')})`, 'interval'],
        ],
      },
      {
        title: 'Size of the backups',
        description: 'Bytes of all backups in BACKUP_TO after the last one. Empty without BACKUP_EVERY.',
        unit: 'bytes',
        min: 0,
        queries: [[`max(${value('backup_last_size_bytes')})`, 'backups']],
      },
      {
        title: 'Failed backups and jobs',
        description:
          'Backups that failed, and failed runs of background jobs by feature. A single failure is made good by the next run.',
        unit: 'none',
        min: 0,
        queries: [
          [
            `sum by (instance) (increase(${value('backup_failures_total')}[$__rate_interval]))`,
            '{{instance}} backup',
          ],
          [
            `sum by (instance, feature) (increase(${value('jobs_failed_total')}[$__rate_interval]))`,
            '{{instance}} {{feature}}',
          ],
        ],
      },
    ],
  },
  {
    title: 'Process',
    panels: [
      {
        title: 'Processors',
        description:
          'Processors that each node keeps busy. One is the limit of its event loop; workers for passwords, pictures and speech come on top.',
        unit: 'none',
        min: 0,
        queries: [[rate('process_cpu_seconds_total'), '{{instance}}']],
      },
      {
        title: 'Event loop, busy share',
        description: 'Share of time in which the event loop works. Above 90 % everything waits: add a node.',
        unit: 'percentunit',
        min: 0,
        max: 1,
        queries: [[rate('nodejs_eventloop_active_seconds_total'), '{{instance}}']],
      },
      {
        title: 'Event loop delay (90th percentile)',
        description: 'By how much timers were late. The measurement itself takes 0.2 s, which is subtracted.',
        unit: 's',
        min: 0,
        queries: [[`${value('nodejs_eventloop_lag_p90_seconds')} - 0.2`, '{{instance}}']],
      },
      {
        title: 'Memory',
        description: 'Memory of the process and its limit, which is that of the container or of the machine.',
        unit: 'bytes',
        min: 0,
        queries: [
          [value('process_resident_memory_bytes'), '{{instance}}'],
          [value('process_memory_limit_bytes'), '{{instance}} limit'],
        ],
      },
      {
        title: 'Heap',
        description: 'JavaScript heap in use and the size at which the process would end.',
        unit: 'bytes',
        min: 0,
        queries: [
          [value('nodejs_heap_size_used_bytes'), '{{instance}}'],
          [value('nodejs_heap_size_limit_bytes'), '{{instance}} limit'],
        ],
      },
      {
        title: 'Garbage collection',
        description:
          'Share of time spent on garbage collection, by kind. More than 10 %: the node is short of memory.',
        unit: 'percentunit',
        min: 0,
        queries: [[sumRate('nodejs_gc_duration_seconds_sum', 'instance, kind'), '{{instance}} {{kind}}']],
      },
      {
        title: 'File descriptors',
        description:
          'Open files and sockets, and how many the process may open. Each glasses and each app is one.',
        unit: 'none',
        min: 0,
        queries: [
          [value('process_open_fds'), '{{instance}}'],
          [value('process_max_fds'), '{{instance}} limit'],
        ],
      },
      {
        title: 'Time since the start',
        description: 'A line that returns to zero is a restart.',
        unit: 's',
        min: 0,
        queries: [[`time() - ${value('process_start_time_seconds')}`, '{{instance}}']],
      },
    ],
  },
]
