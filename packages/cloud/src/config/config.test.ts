import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { describe, test } from 'node:test'
import { readConfig } from './config.ts'
import { ConfigError, type Env } from './env.ts'
import { openSignUpProblem } from './exposure.ts'
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
    const { http, data, auth, mail, apps, limits, log } = readConfig({})
    assert.deepEqual(http, {
      host: '127.0.0.1',
      port: 8080,
      publicUrl: undefined,
      nodeUrl: undefined,
      appSocketUrl: undefined,
      trustProxy: false,
      corsOrigins: [],
      metricsToken: undefined,
      security: { contacts: [], policy: undefined },
    })
    assert.deepEqual(data, {
      dir: resolve('data'),
      databaseUrl: undefined,
      directUrl: undefined,
      pool: { connections: 10, statementTimeoutMs: 30_000, queryTimeoutMs: 35_000 },
      s3: undefined,
      redis: undefined,
      isDirShared: false,
      diskReserveBytes: 512 * 1024 * 1024,
    })
    assert.equal(auth.secret, undefined)
    assert.deepEqual(
      [auth.supabase, auth.supabaseSecret, auth.authingSecret, auth.storePackage],
      [undefined, undefined, undefined, undefined],
    )
    assert.equal(auth.acceptNonExpiringTokens, false)
    assert.deepEqual([auth.signUp, auth.verifyEmail, auth.issuers], ['open', false, []])
    assert.deepEqual(mail, {
      smtpUrl: undefined,
      file: undefined,
      from: 'Glasses Cloud <no-reply@localhost>',
    })
    assert.deepEqual(apps, {
      system: [
        'live.captions.augmentos',
        'com.TeamopenSmartGlasses.SmartGlasses',
        'cloud.mentra.mira',
        'com.mentra.mira',
      ],
      requiredSystem: [],
      apiKeyPackages: [],
      audioPackages: [],
      dashboard: 'system.augmentos.dashboard',
      startTimeoutMs: 5000,
      allowPrivateNetworks: true,
      sample: true,
      review: false,
    })
    assert.equal(log.level, 'info')
    assert.deepEqual(limits, {
      requestsPerMinute: 100,
      appRequestsPerMinute: 3_000,
      speechPerMinute: 100,
      speechCharactersPerDay: 500_000,
      galleryBytes: 2_048 * 1024 * 1024,
    })
  })

  test('CFG-1: the settings of the selected streaming provider are read, and required ones must be set', () => {
    const { streaming } = readConfig({
      STREAM_PROVIDER: 'mediamtx',
      MEDIAMTX_HLS_URL: 'https://media.example.org/hls',
      STREAM_MAX: '3',
    })
    assert.equal(streaming.maxStreams, 3)
    assert.equal(streaming.cloudflare, undefined)
    assert.equal(streaming.mediamtx?.hlsUrl.href, 'https://media.example.org/hls')
    assert.equal(streaming.mediamtx?.apiUrl.href, 'http://127.0.0.1:9997/')
    const [account, token] = problemsOf({ STREAM_PROVIDER: 'cloudflare' })
    assert.match(String(account), /^CLOUDFLARE_ACCOUNT_ID must be set to the id of the account/)
    assert.match(String(token), /^CLOUDFLARE_API_TOKEN must be set to a token/)
    assert.deepEqual(problemsOf({ STREAM_PROVIDER: 'none', RTMP_PORT: '70000' }), [
      'RTMP_PORT must be an integer from 0 to 65535 (got "70000").',
    ])
  })

  test('CFG-1: every setting can be set', () => {
    const config = readConfig({
      HOST: '0.0.0.0',
      PORT: '0',
      PUBLIC_URL: 'https://cloud.example.org/base',
      NODE_URL: 'http://10.0.0.2:8080',
      TRUST_PROXY: '10.0.0.0/8, 127.0.0.1',
      CORS_ORIGINS: 'https://store.example.org, http://127.0.0.1:3000,https://store.example.org',
      METRICS_TOKEN: 'm'.repeat(16),
      SECURITY_CONTACT: 'security@example.org',
      SECURITY_POLICY: 'https://example.org/policy',
      DATA_DIR: '/srv/data',
      DATABASE_URL: 'postgresql://u:p@db/x',
      DATABASE_DIRECT_URL: 'postgresql://u:p@direct/x',
      DATABASE_POOL_SIZE: '20',
      DATABASE_STATEMENT_TIMEOUT_MS: '0',
      DATABASE_QUERY_TIMEOUT_MS: '1000',
      REDIS_URL: 'rediss://r:6380/1',
      S3_BUCKET: 'blobs.example',
      S3_ENDPOINT: 'http://127.0.0.1:9000',
      S3_REGION: 'eu-central-1',
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'secret',
      S3_FORCE_PATH_STYLE: 'false',
      SHARED_DATA_DIR: 'true',
      NODE_NAME: 'node-1',
      APP_SOCKET_URL: 'wss://node-1.example.org/app-ws',
      AUTH_SECRET: 'x'.repeat(32),
      AUTH_SECRET_PREVIOUS: 'p'.repeat(32),
      ACCEPT_NON_EXPIRING_TOKENS: 'true',
      SUPABASE_URL: 'https://supabase.example.org/base/',
      SUPABASE_ANON_KEY: 'sb_publishable_x',
      SUPABASE_JWT_SECRET: 's'.repeat(32),
      AUTHING_APP_SECRET: 'a'.repeat(32),
      STORE_PACKAGE: 'k.l',
      OIDC_ISSUER: 'https://login.example.org/realm',
      OIDC_AUDIENCE: 'glasses',
      OIDC_ISSUERS: JSON.stringify([
        { issuer: 'https://login.example.org', clientId: 'glasses', clientSecret: 's', label: 'Example' },
        { issuer: 'https://id.example.org/realm', clientId: 'cloud', id: 'realm' },
      ]),
      SIGN_UP: 'closed',
      EMAIL_VERIFICATION: 'true',
      SMTP_URL: 'smtps://user:password@mail.example.org',
      MAIL_FILE: '/var/lib/mail.jsonl',
      MAIL_FROM: 'cloud@example.org',
      SYSTEM_APPS: 'a.b',
      API_KEY_PACKAGES: 'c.d,e-f',
      AUDIO_PACKAGE: 'g_h',
      SYSTEM_DASHBOARD_PACKAGE_NAME: 'i.j',
      APP_START_TIMEOUT_MS: '250',
      ALLOW_PRIVATE_NETWORKS: 'true',
      REST_LIMIT_PER_MINUTE: '200',
      APP_LIMIT_PER_MINUTE: '0',
      TTS_LIMIT_PER_MINUTE: '1',
      DISK_RESERVE_MB: '20',
      TTS_DAILY_CHARACTERS: '2000',
      GALLERY_MB: '10',
      LOG_LEVEL: 'debug',
    })
    assert.equal(config.http.publicUrl?.href, 'https://cloud.example.org/base')
    assert.deepEqual(config.auth.supabase, {
      url: 'https://supabase.example.org/base',
      anonKey: 'sb_publishable_x',
    })
    assert.equal(config.auth.supabaseSecret, 's'.repeat(32))
    assert.equal(config.auth.authingSecret, 'a'.repeat(32))
    assert.equal(config.auth.storePackage, 'k.l')
    assert.deepEqual(config.auth.issuers, [
      {
        id: 'login-example-org',
        issuer: 'https://login.example.org',
        clientId: 'glasses',
        clientSecret: 's',
        label: 'Example',
      },
      {
        id: 'realm',
        issuer: 'https://id.example.org/realm',
        clientId: 'cloud',
        clientSecret: undefined,
        label: 'id.example.org',
      },
    ])
    assert.deepEqual([config.auth.signUp, config.auth.verifyEmail], ['closed', true])
    assert.deepEqual(config.mail, {
      smtpUrl: 'smtps://user:password@mail.example.org',
      file: '/var/lib/mail.jsonl',
      from: 'cloud@example.org',
    })
    assert.deepEqual(config.auth.openId, { issuer: 'https://login.example.org/realm', audience: 'glasses' })
    assert.deepEqual(
      { ...config.http, publicUrl: null, appSocketUrl: null, nodeUrl: String(config.http.nodeUrl) },
      {
        host: '0.0.0.0',
        port: 0,
        publicUrl: null,
        appSocketUrl: null,
        nodeUrl: 'http://10.0.0.2:8080/',
        trustProxy: ['10.0.0.0/8', '127.0.0.1'],
        corsOrigins: ['https://store.example.org', 'http://127.0.0.1:3000'],
        metricsToken: 'm'.repeat(16),
        security: { contacts: ['security@example.org'], policy: new URL('https://example.org/policy') },
      },
    )
    assert.deepEqual(config.data, {
      dir: '/srv/data',
      databaseUrl: 'postgresql://u:p@db/x',
      directUrl: 'postgresql://u:p@direct/x',
      pool: { connections: 20, statementTimeoutMs: 0, queryTimeoutMs: 1000 },
      s3: {
        endpoint: new URL('http://127.0.0.1:9000'),
        bucket: 'blobs.example',
        region: 'eu-central-1',
        accessKeyId: 'key',
        secretAccessKey: 'secret',
        forcePathStyle: false,
      },
      redis: { urls: ['rediss://r:6380/1'], sentinelMaster: undefined, isCluster: false },
      isDirShared: true,
      diskReserveBytes: 20 * 1024 * 1024,
    })
    assert.equal(config.node.name, 'node-1')
    assert.equal(config.http.appSocketUrl?.href, 'wss://node-1.example.org/app-ws')
    assert.equal(config.auth.secret, 'x'.repeat(32))
    assert.equal(config.auth.previousSecret, 'p'.repeat(32))
    assert.equal(config.auth.acceptNonExpiringTokens, true)
    assert.deepEqual(config.apps, {
      system: ['a.b'],
      requiredSystem: ['a.b', 'i.j'],
      apiKeyPackages: ['c.d', 'e-f'],
      audioPackages: ['g_h'],
      dashboard: 'i.j',
      startTimeoutMs: 250,
      allowPrivateNetworks: true,
      sample: false,
      review: false,
    })
    assert.deepEqual(config.limits, {
      requestsPerMinute: 200,
      appRequestsPerMinute: 0,
      speechPerMinute: 1,
      speechCharactersPerDay: 2_000,
      galleryBytes: 10 * 1024 * 1024,
    })
    assert.equal(config.log.level, 'debug')
    assert.equal(readConfig({ TRUST_PROXY: 'true' }).http.trustProxy, true)
    assert.equal(readConfig({ TRUST_PROXY: 'false' }).http.trustProxy, false)
    assert.deepEqual(readConfig({ TRUST_PROXY: '::1,fd00::/8' }).http.trustProxy, ['::1', 'fd00::/8'])
    for (const wrong of ['1', '10.0.0', '10.0.0.0/33', 'fd00::/129', '10.0.0.1/', 'loopback'])
      assert.match(
        problemsOf({ TRUST_PROXY: wrong }).join(),
        /^TRUST_PROXY must be .* not a number of proxies/,
      )
  })

  test('CFG-2: every invalid value is reported in a sentence that names the variable', () => {
    const wrong: Env = {
      PORT: '65536',
      PUBLIC_URL: 'cloud.example.org',
      TRUST_PROXY: 'maybe',
      CORS_ORIGINS: 'https://store.example.org,*',
      METRICS_TOKEN: 'short',
      DATABASE_URL: 'mysql://db/x',
      DATABASE_POOL_SIZE: '0',
      DATABASE_STATEMENT_TIMEOUT_MS: '-1',
      DATABASE_QUERY_TIMEOUT_MS: '1 min',
      REDIS_URL: 'http://r',
      S3_REGION: 'the moon',
      S3_FORCE_PATH_STYLE: 'no',
      SHARED_DATA_DIR: 'maybe',
      NODE_NAME: 'node 1',
      APP_SOCKET_URL: 'https://node-1.example.org',
      AUTH_SECRET: 'x'.repeat(31),
      AUTH_SECRET_PREVIOUS: 'short',
      ACCEPT_NON_EXPIRING_TOKENS: 'yes',
      SUPABASE_URL: 'supabase.example.org',
      SUPABASE_JWT_SECRET: 'x',
      AUTHING_APP_SECRET: 'y',
      STORE_PACKAGE: 'a store',
      OIDC_ISSUER: 'login.example.org',
      OIDC_ISSUERS: '{',
      SIGN_UP: 'maybe',
      EMAIL_VERIFICATION: 'sure',
      SMTP_URL: 'mail.example.org',
      MAIL_FROM: 'nobody',
      SYSTEM_APPS: 'a b',
      API_KEY_PACKAGES: 'a/b',
      AUDIO_PACKAGE: 'ä',
      SYSTEM_DASHBOARD_PACKAGE_NAME: 'two words',
      APP_START_TIMEOUT_MS: '5s',
      ALLOW_PRIVATE_NETWORKS: '1',
      REST_LIMIT_PER_MINUTE: '0',
      APP_LIMIT_PER_MINUTE: '-1',
      TTS_LIMIT_PER_MINUTE: 'none',
      LOG_LEVEL: 'loud',
    }
    const problems = problemsOf(wrong)
    assert.deepEqual(problems.map((problem) => problem.split(' ')[0]).sort(), Object.keys(wrong).sort())
    for (const problem of problems) assert.match(problem, /^[A-Z0-9_]+ must .+\.$/)
    assert.deepEqual(problemsOf({ TTS_PROVIDER: 'siri' }), [
      'TTS_PROVIDER must be one of local, flite, elevenlabs, openai, espeak, none (got "siri").',
    ])
    const origins = [
      'https://a.org/',
      'https://a.org:443',
      'https://A.org',
      'a.org',
      'null',
      'file://',
      'https://u@a.org',
    ]
    for (const origin of origins) assert.equal(problemsOf({ CORS_ORIGINS: origin }).length, 1, origin)
    assert.match(
      problemsOf({ OIDC_ISSUER: 'https://login.example.org' }).join(),
      /^OIDC_AUDIENCE must be .+\.$/,
    )
    const openId = { OIDC_ISSUER: 'https://login.example.org', OIDC_AUDIENCE: 'x', OIDC_EMAIL_CLAIM: 'upn' }
    assert.match(problemsOf(openId).join(), /^OIDC_EMAIL_CLAIM requires OIDC_TRUST_EMAIL .+\.$/)
    assert.deepEqual(problemsOf({ ...openId, OIDC_TRUST_EMAIL: 'true' }), [])
    const supabase = { SUPABASE_URL: 'https://supabase.example.org' }
    assert.match(problemsOf(supabase).join(), /^SUPABASE_ANON_KEY must be .+\.$/)
    const secretKey = problemsOf({ ...supabase, SUPABASE_ANON_KEY: 'sb_secret_hunter2' }).join()
    assert.match(secretKey, /^SUPABASE_ANON_KEY must be .+, not a secret one\.$/)
    for (const extra of ['?apikey=x', '#x'])
      assert.match(
        problemsOf({ SUPABASE_URL: supabase.SUPABASE_URL + extra, SUPABASE_ANON_KEY: 'x' }).join(),
        /^SUPABASE_URL must be .+\.$/,
      )
    const issuer = { issuer: 'https://login.example.org', clientId: 'glasses', clientSecret: 'hunter2' }
    for (const [value, problem] of [
      [issuer, /a JSON list/],
      [[{ ...issuer, issuer: 'login' }], /entry 1 needs the issuer/],
      [[{ ...issuer, clientId: '' }], /entry 1 needs a clientId/],
      [[{ ...issuer, secret: 'x' }], /entry 1 has an unknown field secret/],
      [[issuer, issuer], /entry 2 needs an id of its own/],
      [[{ ...issuer, id: 'credential' }], /entry 1 needs an id of its own/],
      [['x'], /entry 1 is not an object/],
      [[{ ...issuer, trustEmail: 'yes' }], /entry 1 needs true or false as trustEmail/],
      [[{ ...issuer, emailVerifiedClaim: 1 }], /entry 1 has an invalid emailVerifiedClaim/],
      [[{ ...issuer, emailClaim: 'upn' }], /entry 1 needs trustEmail or emailVerifiedClaim/],
      [[{ ...issuer, emailClaim: 'upn', trustEmail: false }], /entry 1 needs trustEmail/],
    ] as const) {
      const problems = problemsOf({ OIDC_ISSUERS: JSON.stringify(value) })
      assert.equal(problems.length, 1)
      assert.match(String(problems[0]), problem)
      assert.doesNotMatch(String(problems[0]), /hunter2/)
    }
    const s3 = {
      S3_BUCKET: 'blobs',
      S3_ENDPOINT: 'http://127.0.0.1:9000',
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'secret',
    }
    for (const name of Object.keys(s3)) {
      const missing = [`${name} must be set, because other settings of the S3 bucket are set.`]
      assert.deepEqual(problemsOf({ ...s3, [name]: '' }), missing)
    }
    assert.match(
      problemsOf({ ...s3, S3_BUCKET: 'My Bucket' }).join(),
      /^S3_BUCKET must be the name of a bucket /,
    )
    assert.match(problemsOf({ ...s3, S3_ENDPOINT: 'blobs' }).join(), /^S3_ENDPOINT must be a URL such as /)
    for (const port of ['-1', '1e3', '0x50', '80.5', ' ', '٣']) {
      assert.equal(problemsOf({ PORT: port }).length, port.trim() === '' ? 0 : 1, port)
    }
  })

  test('CFG-13: with REDIS_URL, what several nodes need and is missing is named', () => {
    const complete: Env = {
      REDIS_URL: 'redis://r',
      DATABASE_URL: 'postgres://db/x',
      AUTH_SECRET: 'x'.repeat(32),
      SHARED_DATA_DIR: 'true',
    }
    assert.deepEqual(problemsOf(complete), [])
    for (const [missing, named] of [
      ['DATABASE_URL', 'DATABASE_URL'],
      ['AUTH_SECRET', 'AUTH_SECRET'],
      ['SHARED_DATA_DIR', 'S3_BUCKET'],
    ] as const) {
      const [problem, ...others] = problemsOf({ ...complete, [missing]: undefined })
      assert.match(problem ?? '', new RegExp(`^${named} must .+REDIS_URL is set.*\\.$`))
      assert.deepEqual(others, [])
    }
    assert.deepEqual(problemsOf({ ...complete, REDIS_URL: undefined }), [])
  })

  test('CFG-26: a password that is written as it is', () => {
    const { data, mail } = readConfig({
      DATABASE_URL: 'postgres://h/db',
      AUTH_SECRET: 'a'.repeat(32),
      SHARED_DATA_DIR: 'true',
      REDIS_URL: 'redis://ada:100%sure%41@r',
      SMTP_URL: 'smtp://ada:5%@mail.example.org',
    })
    assert.equal(data.redis?.urls[0], 'redis://ada:100%25sure%41@r')
    assert.equal(mail.smtpUrl, 'smtp://ada:5%25@mail.example.org')
  })

  test('CFG-14: REDIS_URL names one server, Sentinels or the nodes of a Redis Cluster', () => {
    const base: Env = {
      DATABASE_URL: 'postgres://db/x',
      AUTH_SECRET: 'x'.repeat(32),
      SHARED_DATA_DIR: 'true',
      REDIS_URL: 'redis://a:1, redis://b:2',
    }
    const urls = ['redis://a:1', 'redis://b:2']
    assert.match(problemsOf(base).join(), /^REDIS_URL must be one URL/)
    assert.deepEqual(readConfig({ ...base, REDIS_CLUSTER: 'true' }).data.redis, {
      urls,
      sentinelMaster: undefined,
      isCluster: true,
    })
    assert.deepEqual(readConfig({ ...base, REDIS_SENTINEL_MASTER: 'main' }).data.redis, {
      urls,
      sentinelMaster: 'main',
      isCluster: false,
    })
    assert.match(
      problemsOf({ ...base, REDIS_SENTINEL_MASTER: 'main', REDIS_CLUSTER: 'true' }).join(),
      /^REDIS_CLUSTER must be false/,
    )
  })

  test('STO-87: PostgreSQL may be named by the folder of its socket', () => {
    const socket = '?host=/run/postgresql'
    for (const url of [`postgres:///db${socket}`, `postgresql://u:p%40@/db${socket}`, 'postgres://h/db?x=@/'])
      assert.deepEqual(problemsOf({ DATABASE_URL: url }), [], url)
    assert.equal(
      readConfig({ DATABASE_URL: `postgres://u@/db${socket}` }).data.databaseUrl,
      `postgres://u@localhost/db${socket}`,
    )
    for (const url of ['postgres:///db', 'postgres://u@/db', 'postgres:db', `http:///db${socket}`])
      assert.deepEqual(problemsOf({ DATABASE_URL: url }), [
        'DATABASE_URL must be a URL such as postgres://user:password@host:5432/name.',
      ])
    assert.match(problemsOf({ DATABASE_DIRECT_URL: 'postgres://h/db' }).join(), /needs DATABASE_URL/)
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

  test('SAPP-3: the sample app is on by default only on a machine of its own', () => {
    const isOn = (env: Env) => readConfig(env).apps.sample
    assert.equal(isOn({}), true)
    assert.equal(isOn({ SAMPLE_APP: 'off' }), false)
    assert.equal(isOn({ HOST: '0.0.0.0' }), false)
    assert.equal(isOn({ HOST: '192.168.1.7', SAMPLE_APP: 'on' }), true)
    assert.equal(isOn({ PUBLIC_URL: 'https://cloud.example.org' }), false)
    assert.equal(isOn({ DATABASE_URL: 'postgres://host/name' }), false)
    assert.deepEqual(problemsOf({ SAMPLE_APP: 'on', DATABASE_URL: 'postgres://host/name' }), [
      'SAMPLE_APP must be off with DATABASE_URL or REDIS_URL.',
    ])
    assert.deepEqual(problemsOf({ SAMPLE_APP: 'on', ALLOW_PRIVATE_NETWORKS: 'false' }), [
      'SAMPLE_APP must be off, because ALLOW_PRIVATE_NETWORKS is false: the app has a loopback address.',
    ])
    assert.equal(isOn({ ALLOW_PRIVATE_NETWORKS: 'false' }), false)
  })

  test('CFG-15: sign-up is open by default only if the cloud itself has a loopback address', () => {
    const signUp = (env: Env) => readConfig(env).auth.signUp
    assert.equal(signUp({}), 'open')
    assert.equal(signUp({ PUBLIC_URL: 'http://localhost:8080', HOST: '0.0.0.0' }), 'open')
    assert.equal(signUp({ HOST: '0.0.0.0' }), 'invite')
    assert.equal(signUp({ HOST: '192.168.1.7' }), 'invite')
    assert.equal(signUp({ PUBLIC_URL: 'https://cloud.example.org' }), 'invite')
    assert.equal(signUp({ SIGN_UP: 'closed' }), 'closed')
  })

  test('CFG-18: open sign-up without confirmation is reported where strangers reach the cloud', () => {
    const isReported = (env: Env) => openSignUpProblem(readConfig(env)) !== undefined
    const PUBLIC_URL = 'https://cloud.example.org'
    assert.equal(isReported({ PUBLIC_URL, SIGN_UP: 'open' }), true)
    assert.equal(isReported({ HOST: '0.0.0.0', SIGN_UP: 'open' }), true)
    assert.equal(isReported({ PUBLIC_URL, SIGN_UP: 'open', SMTP_URL: 'smtp://127.0.0.1:25' }), false)
    assert.equal(isReported({ HOST: '192.168.1.7', SIGN_UP: 'open' }), false)
    assert.equal(isReported({ PUBLIC_URL }), false)
    assert.equal(isReported({}), false)
  })

  test('CFG-17: addresses are confirmed by default where others reach the cloud and it sends mail', () => {
    const verifyEmail = (env: Env) => readConfig(env).auth.verifyEmail
    const SMTP_URL = 'smtp://127.0.0.1:25'
    const PUBLIC_URL = 'https://cloud.example.org'
    assert.equal(verifyEmail({}), false)
    assert.equal(verifyEmail({ SMTP_URL }), false)
    assert.equal(verifyEmail({ PUBLIC_URL }), false)
    assert.equal(verifyEmail({ PUBLIC_URL, SMTP_URL }), true)
    assert.equal(verifyEmail({ HOST: '0.0.0.0', SMTP_URL }), true)
    assert.equal(verifyEmail({ PUBLIC_URL, SMTP_URL, EMAIL_VERIFICATION: 'false' }), false)
    assert.equal(verifyEmail({ EMAIL_VERIFICATION: 'true' }), true)
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
    for (const name of ['nas.local', 'glasses.fritz.box', 'a.b.lan', 'pi.home.arpa', '100.101.102.103'])
      assert.equal(allowed({ PUBLIC_URL: `http://${name}:8080` }), true, name)
    for (const name of ['local', 'fritz.box', 'evil-lan', 'x.lan.example.org', '100.128.0.1', '100.63.0.1'])
      assert.equal(allowed({ PUBLIC_URL: `http://${name}` }), false, name)
    assert.equal(isPrivateHost('::ffff:10.0.0.1'), true)
    assert.equal(isPrivateHost('10.example.org'), false)
  })
})
