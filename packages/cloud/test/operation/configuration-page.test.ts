import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Env, readConfig, SETTING_GROUPS } from '../../src/config/index.ts'

/** The names of the environment variables that `readConfig` reads. */
function readSettings(env: Env): string[] {
  const names = new Set<string>()
  readConfig(
    new Proxy(env, {
      get(target, name) {
        names.add(String(name))
        return target[String(name)]
      },
    }),
  )
  return [...names]
}

const declared = SETTING_GROUPS.flatMap(({ settings }) => Object.entries(settings))

describe('declared settings', () => {
  test('lists exactly the settings that are read, each once', () => {
    const read = readSettings({ OIDC_ISSUER: 'https://login.example.org', OIDC_AUDIENCE: 'glasses' })
    assert.deepEqual(declared.map(([name]) => name).sort(), read.sort())
  })

  test('names the default of each setting', () => {
    // What is set explicitly is part of these, also where it equals the default.
    const withoutSettings = (env: Env) => {
      const config = readConfig(env)
      return { ...config, apps: { ...config.apps, requiredSystem: [] }, settings: [] }
    }
    const defaults = withoutSettings({})
    const literal = declared.flatMap(([name, { fallback }]) => {
      const value = /^`([^`]+)`$/.exec(fallback)?.[1]
      return value === undefined || value === 'PUBLIC_URL' ? [] : [[name, value] as const]
    })
    assert.ok(literal.length >= 14, String(literal.length))
    for (const [name, value] of literal) assert.deepEqual(withoutSettings({ [name]: value }), defaults, name)
  })
})

describe('settings in force', () => {
  const settingsOf = (env: Env, fromFile = new Set<string>()) =>
    new Map(readConfig(env, { fromFile }).settings.map((setting) => [setting.name, setting]))

  test('CFG-19: each has its value and source', () => {
    const env = { PORT: '9000', SIGN_UP: 'closed', SYSTEM_APPS: '', LOG_LEVEL: ' ' }
    const found = settingsOf(env, new Set(['SIGN_UP']))
    assert.deepEqual(
      [...found.keys()],
      declared.map(([name]) => name),
    )
    const shown = (name: string) => [found.get(name)?.value, found.get(name)?.source]
    assert.deepEqual(shown('PORT'), ['9000', 'environment'])
    assert.deepEqual(shown('SIGN_UP'), ['closed', 'file'])
    assert.deepEqual(shown('SYSTEM_APPS'), [null, 'environment'])
    assert.deepEqual(shown('LOG_LEVEL'), ['info', 'default'])
    assert.deepEqual(shown('EMAIL_VERIFICATION'), ['false', 'default'])
    assert.deepEqual(shown('PUBLIC_URL'), [null, 'default'])
  })

  test('CFG-20: none shows a secret, and every name of one is declared as such', () => {
    const env: Record<string, string> = {
      DATABASE_URL: 'postgres://user:hunter2@db/x?password=hunter2',
      REDIS_URL: 'redis://:hunter2@a:1,redis://:hunter2@b:2',
      REDIS_CLUSTER: 'true',
      SHARED_DATA_DIR: 'true',
      TLS_ACME_EAB_KEY_ID: 'key-1',
      SMTP_URL: 'smtps://user:hunter2@mail.example.org',
      MEDIAMTX_API_URL: 'http://user:hunter2@127.0.0.1:9997',
    }
    for (const [name, { isSecret }] of declared) if (isSecret) env[name] = 'hunter2'.repeat(5)
    env.OIDC_ISSUERS = JSON.stringify([
      { issuer: 'https://a.example', clientId: 'c', clientSecret: 'hunter2' },
    ])
    env.OTEL_EXPORTER_OTLP_HEADERS = 'authorization=hunter2'
    env.OTEL_EXPORTER_OTLP_TRACES_HEADERS = 'authorization=hunter2'
    env.S3_BUCKET = 'blobs'
    env.S3_ENDPOINT = 'https://user:hunter2@s3.example.org'
    const found = settingsOf(env)
    assert.doesNotMatch(JSON.stringify([...found.values()]), /hunter2/)
    assert.equal(found.get('AUTH_SECRET')?.value, '[set]')
    assert.equal(found.get('DATABASE_URL')?.value, 'postgres://db/x')
    assert.equal(found.get('REDIS_URL')?.value, 'redis://a:1, redis://b:2')
    assert.equal(settingsOf({}).get('AUTH_SECRET')?.value, null)
    const open = new Set([
      'ACCEPT_NON_EXPIRING_TOKENS',
      'API_KEY_PACKAGES',
      'TLS_KEY_FILE',
      'TLS_ACME_EAB_KEY_ID',
    ])
    for (const [name, { isSecret }] of declared)
      if (/SECRET|TOKEN|KEY|PASSWORD/.test(name) && !open.has(name)) assert.equal(isSecret, true, name)
  })

  test('CFG-20: a comma in the password of an address does not show its rest', () => {
    const found = settingsOf({
      DATABASE_URL: 'postgres://user:pa,hunter2@db:5432/x',
      SMTP_URL: 'smtps://user:pa,hunter2@mail.example.org',
      MEDIAMTX_API_URL: 'http://user:pa,hunter2@127.0.0.1:9997/',
      REDIS_URL: 'redis://:pa%2Chunter2@a:1',
      AUTH_SECRET: 'x'.repeat(32),
      SHARED_DATA_DIR: 'true',
      STREAM_PROVIDER: 'mediamtx',
    })
    const shown = (name: string) => found.get(name)?.value
    assert.equal(shown('DATABASE_URL'), 'postgres://db:5432/x')
    assert.equal(shown('SMTP_URL'), 'smtps://mail.example.org')
    assert.equal(shown('MEDIAMTX_API_URL'), 'http://127.0.0.1:9997/')
    assert.equal(shown('REDIS_URL'), 'redis://a:1')
    assert.doesNotMatch(JSON.stringify([...found.values()]), /hunter2/)
  })
})
