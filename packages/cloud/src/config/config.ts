import { resolve } from 'node:path'
import { PACKAGE_NAME_PATTERN } from '@glasses-cloud/contract'
import { type Env, EnvReader } from './env.ts'
import { isPrivateHost } from './private-host.ts'

/** The validated settings of a cloud, created by `readConfig`. */
export interface Config {
  readonly http: {
    readonly host: string
    /** 0 selects a free port. */
    readonly port: number
    /** The address at which clients reach the cloud; undefined: the address it listens on. */
    readonly publicUrl: URL | undefined
    /** The proxies whose `X-Forwarded-*` headers are trusted. */
    readonly trustProxy: boolean | string[]
    /** Bearer token that `GET /metrics` requires; undefined: open. */
    readonly metricsToken: string | undefined
  }
  readonly data: {
    readonly dir: string
    /** PostgreSQL; undefined: SQLite in `dir`. */
    readonly databaseUrl: string | undefined
    /** Limits of the PostgreSQL connection pool. */
    readonly pool: {
      readonly connections: number
      readonly statementTimeoutMs: number
      readonly queryTimeoutMs: number
    }
    readonly redisUrl: string | undefined
  }
  readonly auth: {
    /** Undefined: generated and stored in `data.dir`. */
    readonly secret: string | undefined
    readonly acceptNonExpiringTokens: boolean
    /** The issuer of OAuth tokens, unchanged; undefined: `http.publicUrl`. */
    readonly oauthIssuer: string | undefined
    /** Signing keys of identity providers; undefined: tokens of that provider are rejected. */
    readonly supabaseSecret: string | undefined
    readonly authingSecret: string | undefined
    /** The OpenID issuer whose ID tokens are accepted. */
    readonly openId: { readonly issuer: string; readonly audience: string } | undefined
    /** The store package, whose web page may act for its users. */
    readonly storePackage: string | undefined
  }
  readonly apps: {
    /** Packages that are installed for every user. */
    readonly system: readonly string[]
    /** Packages whose API key may act on behalf of a user. */
    readonly apiKeyPackages: readonly string[]
    /** Packages that may read recent audio. */
    readonly audioPackages: readonly string[]
    /** The package that owns the dashboard. */
    readonly dashboard: string
    readonly startTimeoutMs: number
    /** Whether app servers may have loopback and private addresses. */
    readonly allowPrivateNetworks: boolean
  }
  /** Versions of the phone app below which an update is required or recommended. */
  readonly phones: {
    readonly requiredVersion: string
    readonly recommendedVersion: string
  }
  readonly tts: {
    /** Undefined: text to speech is disabled. */
    readonly provider: 'elevenlabs' | 'openai' | 'espeak' | undefined
    readonly apiKey: string | undefined
    /** Undefined: the public address of the provider. */
    readonly baseUrl: URL | undefined
    /** Undefined: the provider's default, if it has one. */
    readonly voice: string | undefined
    readonly model: string | undefined
    /** Disk space for cached speech; 0 disables the cache. */
    readonly cacheBytes: number
  }
  readonly limits: {
    /** REST requests a minute per user, app or address. */
    readonly requestsPerMinute: number
    /** Text-to-speech requests a minute per address. */
    readonly speechPerMinute: number
    /** Gallery size per user. */
    readonly galleryBytes: number
  }
  readonly streaming: {
    /** Undefined: managed streams are disabled. */
    readonly provider: 'memory' | undefined
  }
  readonly log: {
    readonly level: string
  }
}

const DEFAULT_SYSTEM_APPS = [
  'live.captions.augmentos',
  'com.TeamopenSmartGlasses.SmartGlasses',
  'cloud.mentra.mira',
  'com.mentra.mira',
]

const PACKAGE_NAME = new RegExp(PACKAGE_NAME_PATTERN)

/** The form of version that phones compare. */
const VERSION = /^\d{1,5}\.\d{1,5}\.\d{1,5}$/

const PER_MINUTE = { min: 1, max: 1_000_000 }

const TIMEOUT_MS = { min: 0, max: 3_600_000 }

/**
 * Reads the settings from environment variables, which docs/configuration.md lists.
 * @throws ConfigError with one problem for each invalid value
 */
export function readConfig(env: Env): Config {
  const read = new EnvReader(env)
  const packages = (name: string, fallback: readonly string[]) =>
    read.list(name, fallback, PACKAGE_NAME, 'package names')
  const host = read.text('HOST', '127.0.0.1')
  const publicUrl = readPublicUrl(read)
  const config: Config = {
    http: {
      host,
      port: read.integer('PORT', 8080, { min: 0, max: 65_535 }),
      publicUrl,
      trustProxy: readTrustProxy(read),
      metricsToken: read.secret('METRICS_TOKEN', 16),
    },
    data: {
      dir: resolve(read.text('DATA_DIR', './data')),
      databaseUrl: read.url(
        'DATABASE_URL',
        ['postgres', 'postgresql'],
        'postgres://user:password@host:5432/name',
      )?.href,
      pool: {
        connections: read.integer('DATABASE_POOL_SIZE', 10, { min: 1, max: 1_000 }),
        statementTimeoutMs: read.integer('DATABASE_STATEMENT_TIMEOUT_MS', 30_000, TIMEOUT_MS),
        queryTimeoutMs: read.integer('DATABASE_QUERY_TIMEOUT_MS', 35_000, TIMEOUT_MS),
      },
      redisUrl: read.url('REDIS_URL', ['redis', 'rediss'], 'redis://host:6379')?.href,
    },
    auth: {
      secret: read.secret('AUTH_SECRET', 32),
      acceptNonExpiringTokens: read.flag('ACCEPT_NON_EXPIRING_TOKENS', false),
      oauthIssuer: readOAuthIssuer(read),
      supabaseSecret: read.secret('SUPABASE_JWT_SECRET', 32),
      authingSecret: read.secret('AUTHING_APP_SECRET', 32),
      openId: readOpenId(read),
      storePackage: read.match('STORE_PACKAGE', '', PACKAGE_NAME, 'a package name') || undefined,
    },
    apps: {
      system: packages('SYSTEM_APPS', DEFAULT_SYSTEM_APPS),
      apiKeyPackages: packages('API_KEY_PACKAGES', []),
      audioPackages: packages('AUDIO_PACKAGE', []),
      dashboard: read.match(
        'SYSTEM_DASHBOARD_PACKAGE_NAME',
        'system.augmentos.dashboard',
        PACKAGE_NAME,
        'a package name',
      ),
      startTimeoutMs: read.integer('APP_START_TIMEOUT_MS', 5_000, { min: 100, max: 120_000 }),
      allowPrivateNetworks:
        read.flag('ALLOW_PRIVATE_NETWORKS', undefined) ?? isPrivateHost(publicUrl?.hostname ?? host),
    },
    phones: {
      requiredVersion: read.match('PHONE_REQUIRED_VERSION', '0.0.0', VERSION, 'a version like 2.1.16'),
      recommendedVersion: read.match('PHONE_RECOMMENDED_VERSION', '0.0.0', VERSION, 'a version like 2.1.16'),
    },
    tts: {
      provider: read.oneOf('TTS_PROVIDER', ['elevenlabs', 'openai', 'espeak'], undefined),
      apiKey: read.text('TTS_API_KEY', undefined),
      baseUrl: read.url('TTS_BASE_URL', ['http', 'https'], 'https://speech.example.org'),
      voice: read.text('TTS_VOICE', undefined),
      model: read.text('TTS_MODEL', undefined),
      cacheBytes: read.integer('TTS_CACHE_MB', 256, { min: 0, max: 1_000_000 }) * 1024 * 1024,
    },
    limits: {
      requestsPerMinute: read.integer('REST_LIMIT_PER_MINUTE', 100, PER_MINUTE),
      speechPerMinute: read.integer('TTS_LIMIT_PER_MINUTE', 60, PER_MINUTE),
      galleryBytes: read.integer('GALLERY_MB', 2_048, { min: 1, max: 10_000_000 }) * 1024 * 1024,
    },
    streaming: {
      provider: read.oneOf('STREAM_PROVIDER', ['memory'], undefined),
    },
    log: {
      level: read.oneOf('LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info'),
    },
  }
  read.throwIfInvalid()
  return config
}

function readPublicUrl(read: EnvReader): URL | undefined {
  return read.url('PUBLIC_URL', ['http', 'https'], 'https://cloud.example.org')
}

/** Returns the issuer unchanged, since verifiers compare it as a string. */
function readOAuthIssuer(read: EnvReader): string | undefined {
  const url = read.url('OAUTH_ISSUER', ['http', 'https'], 'https://cloud.example.org')
  return url && read.text('OAUTH_ISSUER', undefined)
}

/** Returns the issuer unchanged, since it is compared with the `iss` claim as a string. */
function readOpenId(read: EnvReader): Config['auth']['openId'] {
  const issuer = read.url('OIDC_ISSUER', ['http', 'https'], 'https://login.example.org')
  if (issuer === undefined) return undefined
  const audience = read.required('OIDC_AUDIENCE', 'set to the client ID that OIDC_ISSUER uses for this cloud')
  return { issuer: read.text('OIDC_ISSUER', ''), audience }
}

function readTrustProxy(read: EnvReader): boolean | string[] {
  const entries = read.list(
    'TRUST_PROXY',
    [],
    /^(true|false|[0-9a-fA-F.:]+(\/\d{1,3})?)$/,
    'true, false or proxy addresses such as 10.0.0.0/8',
  )
  if (entries.includes('true')) return true
  const addresses = entries.filter((entry) => entry !== 'false')
  return addresses.length === 0 ? false : addresses
}
