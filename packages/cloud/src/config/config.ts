import { resolve } from 'node:path'
import { PACKAGE_NAME_PATTERN } from '@glasses-cloud/contract'
import { type Env, EnvReader } from './env.ts'
import { isPrivateHost } from './private-host.ts'

/** The settings of one cloud, validated. Made by `readConfig`; nothing else reads the environment. */
export interface Config {
  readonly http: {
    readonly host: string
    /** 0 takes any free port. */
    readonly port: number
    /** Where clients reach the cloud; absent, it is the address it listens on. */
    readonly publicUrl: URL | undefined
    /** Whose `X-Forwarded-*` headers count. */
    readonly trustProxy: boolean | string[]
  }
  readonly data: {
    readonly dir: string
    /** PostgreSQL; absent, SQLite in `dir`. */
    readonly databaseUrl: string | undefined
    readonly redisUrl: string | undefined
  }
  readonly auth: {
    /** Absent, it is made and kept in `data.dir`. */
    readonly secret: string | undefined
    readonly acceptNonExpiringTokens: boolean
    /** What tokens for web pages of apps name as their issuer, as written; absent, `http.publicUrl`. */
    readonly oauthIssuer: string | undefined
    /** The keys that identity providers sign tokens with; absent, tokens of theirs are not taken. */
    readonly supabaseSecret: string | undefined
    readonly authingSecret: string | undefined
    /** Whose ID tokens are taken; absent, nobody's. */
    readonly openId: { readonly issuer: string; readonly audience: string } | undefined
    /** The package whose web page may act for its users; absent, there is none. */
    readonly storePackage: string | undefined
  }
  readonly apps: {
    /** Package names installed for everybody. */
    readonly system: readonly string[]
    /** Packages that may act for a user with their API key. */
    readonly apiKeyPackages: readonly string[]
    /** Packages that may read recent audio. */
    readonly audioPackages: readonly string[]
    /** The package that owns the dashboard. */
    readonly dashboard: string
    readonly startTimeoutMs: number
    /** Whether app servers may stand in loopback and private address ranges. */
    readonly allowPrivateNetworks: boolean
  }
  /** Versions of the phone app; older than required must be updated, older than recommended should be. */
  readonly phones: {
    readonly requiredVersion: string
    readonly recommendedVersion: string
  }
  readonly tts: {
    /** Who speaks; absent, nobody does. */
    readonly provider: 'elevenlabs' | 'openai' | 'espeak' | undefined
    readonly apiKey: string | undefined
    /** Absent, the provider's own address. */
    readonly baseUrl: URL | undefined
    /** Absent, the provider's usual one, if it has one. */
    readonly voice: string | undefined
    readonly model: string | undefined
    /** Room on the disk for what was spoken; 0 keeps nothing. */
    readonly cacheBytes: number
  }
  readonly limits: {
    /** Requests a minute of one user, app or address. */
    readonly requestsPerMinute: number
    /** Texts spoken a minute for one address. */
    readonly speechPerMinute: number
    /** Room of one wearer's photos. */
    readonly galleryBytes: number
  }
  readonly streaming: {
    /** Where managed streams go; absent, there are none. */
    readonly provider: 'memory' | undefined
  }
  readonly log: {
    readonly level: string
  }
}

const systemApps = [
  'live.captions.augmentos',
  'com.TeamopenSmartGlasses.SmartGlasses',
  'cloud.mentra.mira',
  'com.mentra.mira',
]

const packageName = new RegExp(PACKAGE_NAME_PATTERN)

/** As phones compare it. */
const version = /^\d{1,5}\.\d{1,5}\.\d{1,5}$/

const perMinute = { min: 1, max: 1_000_000 }

/**
 * Reads the settings from environment variables; `docs/operations.md` lists them.
 * @throws ConfigError naming every wrong value
 */
export function readConfig(env: Env): Config {
  const read = new EnvReader(env)
  const packages = (name: string, fallback: readonly string[]) =>
    read.list(name, fallback, packageName, 'package names')
  const host = read.text('HOST', '127.0.0.1')
  const publicUrl = readPublicUrl(read)
  const config: Config = {
    http: {
      host,
      port: read.integer('PORT', 8080, { min: 0, max: 65_535 }),
      publicUrl,
      trustProxy: readTrustProxy(read),
    },
    data: {
      dir: resolve(read.text('DATA_DIR', './data')),
      databaseUrl: read.url(
        'DATABASE_URL',
        ['postgres', 'postgresql'],
        'postgres://user:password@host:5432/name',
      )?.href,
      redisUrl: read.url('REDIS_URL', ['redis', 'rediss'], 'redis://host:6379')?.href,
    },
    auth: {
      secret: read.secret('AUTH_SECRET', 32),
      acceptNonExpiringTokens: read.flag('ACCEPT_NON_EXPIRING_TOKENS', false),
      oauthIssuer: readOAuthIssuer(read),
      supabaseSecret: read.secret('SUPABASE_JWT_SECRET', 32),
      authingSecret: read.secret('AUTHING_APP_SECRET', 32),
      openId: readOpenId(read),
      storePackage: read.word('STORE_PACKAGE', '', packageName, 'a package name') || undefined,
    },
    apps: {
      system: packages('SYSTEM_APPS', systemApps),
      apiKeyPackages: packages('API_KEY_PACKAGES', []),
      audioPackages: packages('AUDIO_PACKAGE', []),
      dashboard: read.word(
        'SYSTEM_DASHBOARD_PACKAGE_NAME',
        'system.augmentos.dashboard',
        packageName,
        'a package name',
      ),
      startTimeoutMs: read.integer('APP_START_TIMEOUT_MS', 5_000, { min: 100, max: 120_000 }),
      allowPrivateNetworks:
        read.flag('ALLOW_PRIVATE_NETWORKS', undefined) ?? isPrivateHost(publicUrl?.hostname ?? host),
    },
    phones: {
      requiredVersion: read.word('PHONE_REQUIRED_VERSION', '0.0.0', version, 'a version like 2.1.16'),
      recommendedVersion: read.word('PHONE_RECOMMENDED_VERSION', '0.0.0', version, 'a version like 2.1.16'),
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
      requestsPerMinute: read.integer('REST_LIMIT_PER_MINUTE', 100, perMinute),
      speechPerMinute: read.integer('TTS_LIMIT_PER_MINUTE', 60, perMinute),
      galleryBytes: read.integer('GALLERY_MB', 2_048, { min: 1, max: 10_000_000 }) * 1024 * 1024,
    },
    streaming: {
      provider: read.oneOf('STREAM_PROVIDER', ['memory'], undefined),
    },
    log: {
      level: read.oneOf('LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info'),
    },
  }
  read.done()
  return config
}

function readPublicUrl(read: EnvReader): URL | undefined {
  return read.url('PUBLIC_URL', ['http', 'https'], 'https://cloud.example.org')
}

/** Kept as it is written: verifiers compare it letter for letter. */
function readOAuthIssuer(read: EnvReader): string | undefined {
  const url = read.url('OAUTH_ISSUER', ['http', 'https'], 'https://cloud.example.org')
  return url && read.text('OAUTH_ISSUER', undefined)
}

/** Kept as it is written: the issuer's tokens name it letter for letter. */
function readOpenId(read: EnvReader): Config['auth']['openId'] {
  const issuer = read.url('OIDC_ISSUER', ['http', 'https'], 'https://login.example.org')
  if (issuer === undefined) return undefined
  const audience = read.required('OIDC_AUDIENCE', 'what OIDC_ISSUER calls this cloud (its client id)')
  return { issuer: read.text('OIDC_ISSUER', ''), audience }
}

function readTrustProxy(read: EnvReader): boolean | string[] {
  const words = read.list(
    'TRUST_PROXY',
    [],
    /^(true|false|[0-9a-fA-F.:]+(\/\d{1,3})?)$/,
    '"true", "false" or addresses of proxies (10.0.0.0/8)',
  )
  if (words.includes('true')) return true
  const addresses = words.filter((word) => word !== 'false')
  return addresses.length === 0 ? false : addresses
}
