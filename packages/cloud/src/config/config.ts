import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { PACKAGE_NAME_PATTERN } from '@glasses-cloud/contract'
import { type BackupConfig, readBackup, readS3, type S3Config } from './backup.ts'
import { type Env, EnvReader } from './env.ts'
import { findMisspelled } from './misspelled.ts'
import {
  type IdTokenIssuer,
  type OidcIssuer,
  readIdTokenIssuer,
  readOidcIssuers,
  readSupabase,
  type SupabaseProject,
} from './oidc-issuers.ts'
import { isLoopbackHost, isPrivateHost } from './private-host.ts'
import type { SettingName } from './settings/index.ts'
import { describeSettings, type SettingInForce } from './settings-in-force.ts'
import {
  readSpeechToText,
  readTranslation,
  type SpeechToTextConfig,
  type TranslationConfig,
} from './speech.ts'
import { readStreaming, type StreamingConfig } from './streaming.ts'
import { readTls, readTlsMode, type TlsConfig } from './tls.ts'
import { readTracing, type TracingConfig } from './tracing.ts'

/** Where Redis runs: one server, Sentinels that name it, or a Redis Cluster. */
export interface RedisSettings {
  /** `redis://…` or `rediss://…`; several for Sentinel and Cluster. */
  readonly urls: readonly string[]
  /** The name of the master that the Sentinels at `urls` monitor. */
  readonly sentinelMaster?: string | undefined
  /** Whether `urls` are nodes of a Redis Cluster. */
  readonly isCluster: boolean
}

/** The validated settings of a cloud, created by `readConfig`. */
export interface Config {
  readonly http: {
    readonly host: string
    /** 0 selects a free port. */
    readonly port: number
    /** The address at which clients reach the cloud; undefined: the address it listens on. */
    readonly publicUrl: URL | undefined
    /** The address of this node's app sockets; undefined: `/app-ws` below the public address. */
    readonly appSocketUrl: URL | undefined
    /** The address at which other nodes reach this one; undefined: the address it listens on. */
    readonly nodeUrl: URL | undefined
    /** The proxies whose `X-Forwarded-*` headers are trusted. */
    readonly trustProxy: boolean | string[]
    /** Origins of other sites whose pages may call the API with credentials. */
    readonly corsOrigins: readonly string[]
    /** Bearer token that `GET /metrics` requires; undefined: open. */
    readonly metricsToken: string | undefined
    /** What `/.well-known/security.txt` contains. */
    readonly security: {
      /** E-mail addresses and https URLs; empty: there is no such file. */
      readonly contacts: readonly string[]
      readonly policy: URL | undefined
    }
  }
  readonly tls: TlsConfig
  /** Undefined: no traces are recorded. */
  readonly tracing: TracingConfig | undefined
  readonly data: {
    readonly dir: string
    /** PostgreSQL itself, where `databaseUrl` leads to a pooler; undefined: `databaseUrl`. */
    readonly directUrl: string | undefined
    /** PostgreSQL; undefined: SQLite in `dir`. */
    readonly databaseUrl: string | undefined
    /** Limits of the PostgreSQL connection pool. */
    readonly pool: {
      readonly connections: number
      readonly statementTimeoutMs: number
      readonly queryTimeoutMs: number
    }
    /** The bucket for blobs; undefined: the folder `blobs` in `dir`. */
    readonly s3: S3Config | undefined
    /** The Redis of a cluster; undefined: this is the only node. */
    readonly redis: RedisSettings | undefined
    /** Whether all nodes see the same `dir`, on a network file system. */
    readonly isDirShared: boolean
    /** Free space of the disk that uploads, recordings and exports leave. */
    readonly diskReserveBytes: number
  }
  readonly backup: BackupConfig
  readonly node: {
    /** The name of this node for operators. */
    readonly name: string
  }
  readonly auth: {
    /** Undefined: generated and stored in `data.dir`. */
    readonly secret: string | undefined
    /** Accepted beside `secret`, so that nodes can change it one after another. */
    readonly previousSecret: string | undefined
    readonly acceptNonExpiringTokens: boolean
    /** The issuer of OAuth tokens, unchanged; undefined: `http.publicUrl`. */
    readonly oauthIssuer: string | undefined
    /** The Supabase project that is asked about its tokens. */
    readonly supabase: SupabaseProject | undefined
    /** Signing keys of identity providers; undefined: tokens of that provider are rejected. */
    readonly supabaseSecret: string | undefined
    readonly authingSecret: string | undefined
    /** The OpenID issuer whose ID tokens are accepted. */
    readonly openId: IdTokenIssuer | undefined
    /** The OpenID Connect issuers where users may sign in. */
    readonly issuers: readonly OidcIssuer[]
    /** Who may create an account with an e-mail address and a password. */
    readonly signUp: SignUp
    /** Whether a user must confirm their e-mail address before they can sign in with a password. */
    readonly verifyEmail: boolean
    /** The store package, whose web page may act for its users. */
    readonly storePackage: string | undefined
  }
  readonly mail: {
    readonly smtpUrl: string | undefined
    /** Where messages are written without `smtpUrl`; undefined: their links are in the log. */
    readonly file: string | undefined
    readonly from: string
  }
  readonly apps: {
    /** Packages that are installed for every user. */
    readonly system: readonly string[]
    /** Packages of `system` and the dashboard that were set; those of the defaults need not be registered. */
    readonly requiredSystem: readonly string[]
    /** Packages whose API key may act on behalf of a user. */
    readonly apiKeyPackages: readonly string[]
    /** Packages that may read recent audio. */
    readonly audioPackages: readonly string[]
    /** The package that owns the dashboard. */
    readonly dashboard: string
    readonly startTimeoutMs: number
    /** Whether app servers may have loopback and private addresses. */
    readonly allowPrivateNetworks: boolean
    /** Whether the cloud itself serves an app to try (docs/rules/lifecycle.md). */
    readonly sample: boolean
    /** Whether an administrator approves apps before they are published. */
    readonly review: boolean
  }
  /** Versions of the phone app below which an update is required or recommended. */
  readonly phones: {
    readonly requiredVersion: string
    readonly recommendedVersion: string
  }
  readonly tts: {
    readonly provider: 'local' | 'flite' | 'elevenlabs' | 'openai' | 'espeak' | 'none'
    readonly apiKey: string | undefined
    /** Undefined: the public address of the provider. */
    readonly baseUrl: URL | undefined
    /** Undefined: the provider's default, if it has one. */
    readonly voice: string | undefined
    readonly model: string | undefined
    /** Disk space for cached speech; 0 disables the cache. */
    readonly cacheBytes: number
  }
  readonly stt: SpeechToTextConfig
  /** Undefined: no translation provider. */
  readonly translation: TranslationConfig | undefined
  readonly limits: {
    /** REST requests a minute per user, user of an app, or address. */
    readonly requestsPerMinute: number
    /** REST requests a minute of an app for all its users together; 0: no limit. */
    readonly appRequestsPerMinute: number
    /** Text-to-speech requests a minute per address. */
    readonly speechPerMinute: number
    /** Characters a day that a paid provider of text-to-speech generates, for all together; 0: no limit. */
    readonly speechCharactersPerDay: number
    /** Gallery size per user. */
    readonly galleryBytes: number
  }
  readonly streaming: StreamingConfig
  readonly log: {
    readonly level: string
  }
  /** Every setting by its environment name, for administrators. */
  readonly settings: readonly SettingInForce[]
  /** Sentences about what was set and has another effect than it seems to have, or none. */
  readonly warnings: readonly string[]
}

const DEFAULT_SYSTEM_APPS = [
  'live.captions.augmentos',
  'com.TeamopenSmartGlasses.SmartGlasses',
  'cloud.mentra.mira',
  'com.mentra.mira',
]

const PACKAGE_NAME = new RegExp(PACKAGE_NAME_PATTERN)

const SIGN_UP = ['open', 'invite', 'closed'] as const

/** Who may create an account: everybody, invited persons, or nobody. */
export type SignUp = (typeof SIGN_UP)[number]

/** An e-mail address, with or without `mailto:`, or an https URL. */
const SECURITY_CONTACT = /^(https:\/\/[!-~]+|(mailto:)?[!-9;-?A-~]+@[!-9;-?A-~]+)$/

/** The form of version that phones compare. */
const VERSION = /^\d{1,5}\.\d{1,5}\.\d{1,5}$/

const NODE_NAME = /^[\w.:-]{1,100}$/

const PER_MINUTE = { min: 1, max: 1_000_000 }

const TIMEOUT_MS = { min: 0, max: 3_600_000 }

/** What is known of the file `.env`. */
interface FromFile {
  /** Names of variables that it sets. */
  readonly fromFile?: ReadonlySet<string>
  readonly warnings?: readonly string[]
}

/**
 * Reads the settings from environment variables, which docs/configuration.md lists.
 * @throws ConfigError with one problem for each invalid value
 */
export function readConfig(env: Env, { fromFile = new Set(), warnings = [] }: FromFile = {}): Config {
  const read = new EnvReader(env)
  const packages = (name: SettingName, fallback: readonly string[]) =>
    read.list(name, fallback, PACKAGE_NAME, 'package names')
  const system = packages('SYSTEM_APPS', DEFAULT_SYSTEM_APPS)
  const defaults = readTlsMode(read)
  const host = read.text('HOST', defaults.host)
  const port = read.integer('PORT', defaults.port, { min: 0, max: 65_535 })
  const publicUrl = readPublicUrl(read)
  const tls = readTls(read, port, publicUrl)
  const publicHost = publicUrl?.hostname ?? (tls.mode === 'off' ? host : (tls.hosts[0] ?? host))
  const s3 = readS3(read)
  const allowPrivateNetworks = read.flag(
    'ALLOW_PRIVATE_NETWORKS',
    isPrivateHost(publicHost) || tls.mode === 'local',
  )
  const nodeUrl = read.url('NODE_URL', ['http', 'https'], 'http://10.0.0.2:8080')
  if (tls.mode !== 'off' && nodeUrl?.protocol === 'http:')
    read.reject('NODE_URL', `must begin with https:// while TLS=${tls.mode}`)
  const config: Omit<Config, 'settings' | 'warnings'> = {
    http: {
      host,
      port,
      publicUrl,
      appSocketUrl: read.url('APP_SOCKET_URL', ['ws', 'wss'], 'wss://node1.example.org/app-ws'),
      nodeUrl,
      trustProxy: readTrustProxy(read),
      corsOrigins: read.origins('CORS_ORIGINS'),
      metricsToken: read.secret('METRICS_TOKEN', 16),
      security: {
        contacts: read.list('SECURITY_CONTACT', [], SECURITY_CONTACT, 'e-mail addresses and https URLs'),
        policy: read.url('SECURITY_POLICY', ['https'], 'https://example.org/security'),
      },
    },
    tls,
    tracing: readTracing(read),
    data: {
      dir: resolve(read.text('DATA_DIR', './data')),
      databaseUrl: read.postgresUrl('DATABASE_URL'),
      directUrl: read.postgresUrl('DATABASE_DIRECT_URL'),
      pool: {
        connections: read.integer('DATABASE_POOL_SIZE', 10, { min: 1, max: 1_000 }),
        statementTimeoutMs: read.integer('DATABASE_STATEMENT_TIMEOUT_MS', 30_000, TIMEOUT_MS),
        queryTimeoutMs: read.integer('DATABASE_QUERY_TIMEOUT_MS', 35_000, TIMEOUT_MS),
      },
      s3,
      redis: readRedis(read),
      isDirShared: read.flag('SHARED_DATA_DIR', false),
      diskReserveBytes: read.integer('DISK_RESERVE_MB', 512, { min: 0, max: 1_000_000_000 }) * 1024 * 1024,
    },
    backup: readBackup(read, s3),
    node: {
      name: read.match('NODE_NAME', `${hostname()}-${process.pid}`, NODE_NAME, 'a name without spaces'),
    },
    auth: {
      secret: read.secret('AUTH_SECRET', 32),
      previousSecret: read.secret('AUTH_SECRET_PREVIOUS', 32),
      acceptNonExpiringTokens: read.flag('ACCEPT_NON_EXPIRING_TOKENS', false),
      oauthIssuer: readOAuthIssuer(read),
      supabase: readSupabase(read),
      supabaseSecret: read.secret('SUPABASE_JWT_SECRET', 32),
      authingSecret: read.secret('AUTHING_APP_SECRET', 32),
      openId: readIdTokenIssuer(read),
      issuers: readOidcIssuers(read),
      signUp: read.oneOf('SIGN_UP', SIGN_UP, isLoopbackHost(publicHost) ? 'open' : 'invite'),
      verifyEmail: read.flag(
        'EMAIL_VERIFICATION',
        !isLoopbackHost(publicHost) && read.text('SMTP_URL', undefined) !== undefined,
      ),
      storePackage: read.match('STORE_PACKAGE', '', PACKAGE_NAME, 'a package name') || undefined,
    },
    mail: {
      smtpUrl: read.url('SMTP_URL', ['smtp', 'smtps'], 'smtps://user:password@mail.example.org')?.href,
      file: readMailFile(read),
      from: read.match(
        'MAIL_FROM',
        `Glasses Cloud <no-reply@${publicUrl?.hostname ?? (tls.mode === 'auto' ? publicHost : 'localhost')}>`,
        /^[^\r\n]+@[^\r\n]+$/,
        'an e-mail address such as "Glasses Cloud <cloud@example.org>"',
      ),
    },
    apps: {
      system,
      requiredSystem: [
        ...(system === DEFAULT_SYSTEM_APPS ? [] : system),
        read.text('SYSTEM_DASHBOARD_PACKAGE_NAME', ''),
      ].filter((name) => name !== ''),
      apiKeyPackages: packages('API_KEY_PACKAGES', []),
      audioPackages: packages('AUDIO_PACKAGE', []),
      dashboard: read.match(
        'SYSTEM_DASHBOARD_PACKAGE_NAME',
        'system.augmentos.dashboard',
        PACKAGE_NAME,
        'a package name',
      ),
      startTimeoutMs: read.integer('APP_START_TIMEOUT_MS', 5_000, { min: 100, max: 120_000 }),
      allowPrivateNetworks,
      sample: readSampleApp(read, isLoopbackHost(publicHost), allowPrivateNetworks),
      review: read.oneOf('APP_REVIEW', ['off', 'on'], 'off') === 'on',
    },
    phones: {
      requiredVersion: read.match('PHONE_REQUIRED_VERSION', '0.0.0', VERSION, 'a version like 2.1.16'),
      recommendedVersion: read.match('PHONE_RECOMMENDED_VERSION', '0.0.0', VERSION, 'a version like 2.1.16'),
    },
    tts: {
      provider: read.oneOf(
        'TTS_PROVIDER',
        ['local', 'flite', 'elevenlabs', 'openai', 'espeak', 'none'],
        'local',
      ),
      apiKey: read.text('TTS_API_KEY', undefined),
      baseUrl: read.apiBase('TTS_BASE_URL', '/v1/audio/speech', 'https://speech.example.org'),
      voice: read.text('TTS_VOICE', undefined),
      model: read.text('TTS_MODEL', undefined),
      cacheBytes: read.integer('TTS_CACHE_MB', 256, { min: 0, max: 1_000_000 }) * 1024 * 1024,
    },
    stt: readSpeechToText(read),
    translation: readTranslation(read),
    limits: {
      requestsPerMinute: read.integer('REST_LIMIT_PER_MINUTE', 100, PER_MINUTE),
      appRequestsPerMinute: read.integer('APP_LIMIT_PER_MINUTE', 3_000, { min: 0, max: 1_000_000 }),
      speechPerMinute: read.integer('TTS_LIMIT_PER_MINUTE', 100, PER_MINUTE),
      speechCharactersPerDay: read.integer('TTS_DAILY_CHARACTERS', 500_000, { min: 0, max: 1_000_000_000 }),
      galleryBytes: read.integer('GALLERY_MB', 2_048, { min: 1, max: 10_000_000 }) * 1024 * 1024,
    },
    streaming: readStreaming(read),
    log: {
      level: read.oneOf('LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info'),
    },
  }
  if (config.data.redis) requireSharedStorage(read)
  if (config.data.directUrl && !config.data.databaseUrl)
    read.reject('DATABASE_DIRECT_URL', 'needs DATABASE_URL, the address of the pooler')
  read.throwIfInvalid()
  return {
    ...config,
    settings: describeSettings({ env, fromFile, values: read.values }),
    warnings: [...warnings, ...findMisspelled(Object.keys(env))],
  }
}

function readMailFile(read: EnvReader): string | undefined {
  const path = read.text('MAIL_FILE', undefined)
  return path === undefined ? undefined : resolve(path)
}

function readRedis(read: EnvReader): RedisSettings | undefined {
  const urls = read.urls('REDIS_URL', ['redis', 'rediss'], 'redis://host:6379')
  const sentinelMaster = read.text('REDIS_SENTINEL_MASTER', undefined)
  const isCluster = read.flag('REDIS_CLUSTER', false)
  if (urls.length === 0) return undefined
  if (isCluster && sentinelMaster !== undefined)
    read.reject('REDIS_CLUSTER', 'must be false while REDIS_SENTINEL_MASTER is set')
  if (urls.length > 1 && !isCluster && sentinelMaster === undefined)
    read.reject('REDIS_URL', 'must be one URL, unless REDIS_CLUSTER or REDIS_SENTINEL_MASTER is set')
  return { urls: urls.map(({ href }) => href), sentinelMaster, isCluster }
}

/** Reports what several nodes need beside Redis and is missing. */
function requireSharedStorage(read: EnvReader): void {
  read.required('DATABASE_URL', 'the PostgreSQL that all nodes share, because REDIS_URL is set')
  read.required('AUTH_SECRET', 'the same on all nodes, because REDIS_URL is set')
  if (read.text('S3_BUCKET', undefined) === undefined && !read.flag('SHARED_DATA_DIR', false))
    read.reject(
      'S3_BUCKET',
      'must be the bucket that all nodes share, because REDIS_URL is set; or set SHARED_DATA_DIR=true if DATA_DIR is on a network file system that all nodes share',
    )
}

/** Returns whether to serve the sample app: by default where somebody tries the cloud on their own machine. */
function readSampleApp(read: EnvReader, isLoopback: boolean, mayCall: boolean): boolean {
  const isShared = (['DATABASE_URL', 'REDIS_URL'] as const).some(
    (name) => read.text(name, undefined) !== undefined,
  )
  const isTrial = isLoopback && mayCall && !isShared
  const isOn = read.oneOf('SAMPLE_APP', ['on', 'off'], isTrial ? 'on' : 'off') === 'on'
  if (isOn && isShared) read.reject('SAMPLE_APP', 'must be off with DATABASE_URL or REDIS_URL')
  if (isOn && !mayCall)
    read.reject(
      'SAMPLE_APP',
      'must be off, because ALLOW_PRIVATE_NETWORKS is false: the app has a loopback address',
    )
  return isOn
}

function readPublicUrl(read: EnvReader): URL | undefined {
  return read.url('PUBLIC_URL', ['http', 'https'], 'https://cloud.example.org')
}

/** Returns the issuer unchanged, since verifiers compare it as a string. */
function readOAuthIssuer(read: EnvReader): string | undefined {
  const url = read.url('OAUTH_ISSUER', ['http', 'https'], 'https://cloud.example.org')
  return url && read.text('OAUTH_ISSUER', undefined)
}

/** Returns whether a text is an IP address or network. */
function isNetwork(text: string): boolean {
  const [, address = '', bits = '0'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  return Number(bits) <= (isIP(address) === 4 ? 32 : 128) && isIP(address) !== 0
}

function readTrustProxy(read: EnvReader): boolean | string[] {
  const entries = read.list(
    'TRUST_PROXY',
    [],
    { test: (entry) => entry === 'true' || entry === 'false' || isNetwork(entry) },
    'true, false or proxy addresses such as 10.0.0.0/8, not a number of proxies',
  )
  if (entries.includes('true')) return true
  const addresses = entries.filter((entry) => entry !== 'false')
  return addresses.length === 0 ? false : addresses
}
