import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { describe, test } from 'node:test'
import { readConfig } from './config.ts'
import { ConfigError, type Env } from './env.ts'
import { isPrivateHost } from './private-host.ts'

function problemsOf(env: Env): readonly string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.problems
  }
}

describe('settings', () => {
  test('CFG-1: every setting has a default', () => {
    const { http, data, auth, apps, limits, log } = readConfig({})
    assert.deepEqual(http, {
      host: '127.0.0.1',
      port: 8080,
      publicUrl: undefined,
      trustProxy: false,
      metricsToken: undefined,
    })
    assert.deepEqual(data, {
      dir: resolve('data'),
      databaseUrl: undefined,
      pool: { connections: 10, statementTimeoutMs: 30_000, queryTimeoutMs: 35_000 },
      redisUrl: undefined,
    })
    assert.equal(auth.secret, undefined)
    assert.deepEqual(
      [auth.supabaseSecret, auth.authingSecret, auth.storePackage],
      [undefined, undefined, undefined],
    )
    assert.equal(auth.acceptNonExpiringTokens, false)
    assert.deepEqual(apps, {
      system: [
        'live.captions.augmentos',
        'com.TeamopenSmartGlasses.SmartGlasses',
        'cloud.mentra.mira',
        'com.mentra.mira',
      ],
      apiKeyPackages: [],
      audioPackages: [],
      dashboard: 'system.augmentos.dashboard',
      startTimeoutMs: 5000,
      allowPrivateNetworks: true,
    })
    assert.equal(log.level, 'info')
    assert.deepEqual(limits, {
      requestsPerMinute: 100,
      speechPerMinute: 60,
      galleryBytes: 2_048 * 1024 * 1024,
    })
  })

  test('CFG-1: every setting can be set', () => {
    const config = readConfig({
      HOST: '0.0.0.0',
      PORT: '0',
      PUBLIC_URL: 'https://cloud.example.org/base',
      TRUST_PROXY: '10.0.0.0/8, 127.0.0.1',
      METRICS_TOKEN: 'm'.repeat(16),
      DATA_DIR: '/srv/data',
      DATABASE_URL: 'postgresql://u:p@db/x',
      DATABASE_POOL_SIZE: '20',
      DATABASE_STATEMENT_TIMEOUT_MS: '0',
      DATABASE_QUERY_TIMEOUT_MS: '1000',
      REDIS_URL: 'rediss://r:6380/1',
      AUTH_SECRET: 'x'.repeat(32),
      ACCEPT_NON_EXPIRING_TOKENS: 'true',
      SUPABASE_JWT_SECRET: 's'.repeat(32),
      AUTHING_APP_SECRET: 'a'.repeat(32),
      STORE_PACKAGE: 'k.l',
      OIDC_ISSUER: 'https://login.example.org/realm',
      OIDC_AUDIENCE: 'glasses',
      SYSTEM_APPS: 'a.b',
      API_KEY_PACKAGES: 'c.d,e-f',
      AUDIO_PACKAGE: 'g_h',
      SYSTEM_DASHBOARD_PACKAGE_NAME: 'i.j',
      APP_START_TIMEOUT_MS: '250',
      ALLOW_PRIVATE_NETWORKS: 'true',
      REST_LIMIT_PER_MINUTE: '200',
      TTS_LIMIT_PER_MINUTE: '1',
      GALLERY_MB: '10',
      LOG_LEVEL: 'debug',
    })
    assert.equal(config.http.publicUrl?.href, 'https://cloud.example.org/base')
    assert.equal(config.auth.supabaseSecret, 's'.repeat(32))
    assert.equal(config.auth.authingSecret, 'a'.repeat(32))
    assert.equal(config.auth.storePackage, 'k.l')
    assert.deepEqual(config.auth.openId, { issuer: 'https://login.example.org/realm', audience: 'glasses' })
    assert.deepEqual(
      { ...config.http, publicUrl: null },
      {
        host: '0.0.0.0',
        port: 0,
        publicUrl: null,
        trustProxy: ['10.0.0.0/8', '127.0.0.1'],
        metricsToken: 'm'.repeat(16),
      },
    )
    assert.deepEqual(config.data, {
      dir: '/srv/data',
      databaseUrl: 'postgresql://u:p@db/x',
      pool: { connections: 20, statementTimeoutMs: 0, queryTimeoutMs: 1000 },
      redisUrl: 'rediss://r:6380/1',
    })
    assert.equal(config.auth.secret, 'x'.repeat(32))
    assert.equal(config.auth.acceptNonExpiringTokens, true)
    assert.deepEqual(config.apps, {
      system: ['a.b'],
      apiKeyPackages: ['c.d', 'e-f'],
      audioPackages: ['g_h'],
      dashboard: 'i.j',
      startTimeoutMs: 250,
      allowPrivateNetworks: true,
    })
    assert.deepEqual(config.limits, {
      requestsPerMinute: 200,
      speechPerMinute: 1,
      galleryBytes: 10 * 1024 * 1024,
    })
    assert.equal(config.log.level, 'debug')
    assert.equal(readConfig({ TRUST_PROXY: 'true' }).http.trustProxy, true)
    assert.equal(readConfig({ TRUST_PROXY: 'false' }).http.trustProxy, false)
  })

  test('CFG-2: every invalid value is reported in a sentence that names the variable', () => {
    const wrong: Env = {
      PORT: '65536',
      PUBLIC_URL: 'cloud.example.org',
      TRUST_PROXY: 'maybe',
      METRICS_TOKEN: 'short',
      DATABASE_URL: 'mysql://db/x',
      DATABASE_POOL_SIZE: '0',
      DATABASE_STATEMENT_TIMEOUT_MS: '-1',
      DATABASE_QUERY_TIMEOUT_MS: '1 min',
      REDIS_URL: 'http://r',
      AUTH_SECRET: 'x'.repeat(31),
      ACCEPT_NON_EXPIRING_TOKENS: 'yes',
      SUPABASE_JWT_SECRET: 'x',
      AUTHING_APP_SECRET: 'y',
      STORE_PACKAGE: 'a store',
      OIDC_ISSUER: 'login.example.org',
      SYSTEM_APPS: 'a b',
      API_KEY_PACKAGES: 'a/b',
      AUDIO_PACKAGE: 'ä',
      SYSTEM_DASHBOARD_PACKAGE_NAME: 'two words',
      APP_START_TIMEOUT_MS: '5s',
      ALLOW_PRIVATE_NETWORKS: '1',
      REST_LIMIT_PER_MINUTE: '0',
      TTS_LIMIT_PER_MINUTE: 'none',
      LOG_LEVEL: 'loud',
    }
    const problems = problemsOf(wrong)
    assert.deepEqual(problems.map((problem) => problem.split(' ')[0]).sort(), Object.keys(wrong).sort())
    for (const problem of problems) assert.match(problem, /^[A-Z_]+ must .+\.$/)
    assert.deepEqual(problemsOf({ TTS_PROVIDER: 'siri' }), [
      'TTS_PROVIDER must be one of elevenlabs, openai, espeak (got "siri").',
    ])
    assert.match(
      problemsOf({ OIDC_ISSUER: 'https://login.example.org' }).join(),
      /^OIDC_AUDIENCE must be .+\.$/,
    )
    for (const port of ['-1', '1e3', '0x50', '80.5', ' ', '٣']) {
      assert.equal(problemsOf({ PORT: port }).length, port.trim() === '' ? 0 : 1, port)
    }
  })

  test('CFG-3: problems do not contain secrets or URLs', () => {
    const problems = problemsOf({
      AUTH_SECRET: 'hunter2',
      DATABASE_URL: 'mysql://u:hunter2@db',
      REDIS_URL: 'hunter2',
      PUBLIC_URL: 'ftp://hunter2',
    })
    assert.equal(problems.length, 4)
    assert.doesNotMatch(problems.join(), /hunter2/)
  })

  test('CFG-5 CFG-6: empty values count as unset, and lists are trimmed and deduplicated', () => {
    const config = readConfig({
      PORT: '',
      AUTH_SECRET: '',
      DATABASE_URL: '',
      SYSTEM_APPS: '',
      API_KEY_PACKAGES: ' a , b,,a ',
    })
    assert.equal(config.http.port, 8080)
    assert.equal(config.auth.secret, undefined)
    assert.equal(config.data.databaseUrl, undefined)
    assert.deepEqual(config.apps.system, [])
    assert.deepEqual(config.apps.apiKeyPackages, ['a', 'b'])
  })

  test('CFG-8: private networks are allowed if the cloud itself has a private address', () => {
    const allowed = (env: Env) => readConfig(env).apps.allowPrivateNetworks
    assert.equal(allowed({ PUBLIC_URL: 'http://localhost:8080' }), true)
    assert.equal(allowed({ PUBLIC_URL: 'http://192.168.1.7' }), true)
    assert.equal(allowed({ PUBLIC_URL: 'http://[::1]:8080' }), true)
    assert.equal(allowed({ PUBLIC_URL: 'https://cloud.example.org' }), false)
    assert.equal(allowed({ PUBLIC_URL: 'https://8.8.8.8', HOST: '127.0.0.1' }), false)
    assert.equal(allowed({ HOST: '0.0.0.0' }), false)
    assert.equal(allowed({ HOST: '10.1.2.3' }), true)
    assert.equal(allowed({ PUBLIC_URL: 'https://cloud.example.org', ALLOW_PRIVATE_NETWORKS: 'true' }), true)
    assert.equal(allowed({ ALLOW_PRIVATE_NETWORKS: 'false' }), false)
    assert.equal(isPrivateHost('::ffff:10.0.0.1'), true)
    assert.equal(isPrivateHost('10.example.org'), false)
  })
})
