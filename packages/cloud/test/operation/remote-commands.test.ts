import assert from 'node:assert/strict'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import type { Env } from '../../src/config/index.ts'
import { Browser } from '../support/account-browser.ts'
import { cli, cliWithInput } from '../support/cli.ts'
import { newPackageName } from '../support/developer.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

const password = 'correct horse battery'

describe('commands over HTTP', () => {
  const scope = suiteScope()
  let cloud: LocalCloud
  let env: Env

  before(async () => {
    cloud = await startCloud(scope, { env: { LOG_LEVEL: 'warn' } })
    env = { ...cloud.env, HOME: String(cloud.env.DATA_DIR) }
    for (const email of ['first@example.org', 'ada@example.org', 'bob@example.org'])
      assert.equal((await new Browser(cloud).signUp(email, password)).status, 200)
    const { code, err } = await cliWithInput(
      env,
      `${password}\n`,
      'login',
      '--url',
      cloud.url,
      '--email',
      'ada@example.org',
    )
    assert.equal(code, 0, err)
  })

  /** Runs a command that must succeed, with JSON output. */
  const json = async (...args: string[]) => {
    const { code, out, err } = await cli(env, ...args, '--json')
    assert.equal(code, 0, err)
    return JSON.parse(out)
  }
  const manifest = async (fields: object) => {
    const file = join(String(cloud.env.DATA_DIR), `${newPackageName()}.json`)
    await writeFile(file, JSON.stringify({ name: 'App', publicUrl: 'http://127.0.0.1:9', ...fields }))
    return file
  }

  test('CLI-60: login stores a personal token for the user only; a wrong password stores nothing', async () => {
    const file = join(String(env.HOME), '.config/glasses-cloud/credentials.json')
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    const wrong = { ...env, XDG_CONFIG_HOME: join(String(env.HOME), 'other') }
    const rejected = await cliWithInput(
      wrong,
      'wrong password\n',
      'login',
      '--url',
      cloud.url,
      '--email',
      'ada@example.org',
    )
    assert.deepEqual([rejected.code, rejected.out], [1, ''])
    const unknown = await cli(wrong, 'whoami')
    assert.equal(unknown.code, 1)
    assert.match(unknown.err, /login --url/)
    const byToken = await cli(wrong, 'login', '--url', cloud.url, '--token', 'gcp_0000000000000000_wrong')
    assert.match(byToken.err, /rejected the token/)
    const tokens = await cloud.cloud.personalTokens.list(
      (await cloud.operator.users.findByEmail('ada@example.org'))?.id ?? '',
    )
    assert.deepEqual(
      tokens.map(({ scopes }) => scopes),
      [['apps:read', 'apps:write', 'account']],
    )
  })

  test('whoami names the user and the cloud; --url and GLASSES_CLOUD_URL choose the cloud', async () => {
    const account = await json('whoami')
    assert.deepEqual([account.email, account.url], ['ada@example.org', cloud.url])
    assert.match((await cli(env, 'whoami')).out, /^ada@example\.org on http/)
    const unreachable = await cli(
      { ...env, GLASSES_CLOUD_URL: 'http://127.0.0.1:9', GLASSES_CLOUD_TOKEN: 'x' },
      'whoami',
    )
    assert.deepEqual([unreachable.code, unreachable.out], [1, ''])
    assert.match(unreachable.err, /127\.0\.0\.1:9 cannot be reached/)
    const invalid = await cli(env, 'whoami', '--url', 'nowhere')
    assert.equal(invalid.code, 2)
    assert.match(invalid.err, /--url must be a URL/)
    assert.equal((await cli(env, 'whoami', '--url', 'http://other.example.org')).code, 1)
  })

  test('app commands create, change, publish, list and show an app', async () => {
    const packageName = newPackageName()
    const created = await json('app', 'create', await manifest({ packageName }))
    assert.equal(created.packageName, packageName)
    const headers = { 'x-api-key': created.apiKey, 'x-package-name': packageName }
    assert.notEqual((await cloud.request('GET', '/api/transcripts/none?duration=1', { headers })).status, 401)
    const update = await json('app', 'update', await manifest({ packageName, name: 'Better' }))
    assert.equal(update.name, 'Better')
    assert.equal((await json('app', 'publish', packageName)).appStoreStatus, 'PUBLISHED')
    assert.equal((await json('app', 'unpublish', packageName)).appStoreStatus, 'DEVELOPMENT')
    const rotated = await json('app', 'keys', packageName, '--rotate')
    const keys: { id: string }[] = await json('app', 'keys', packageName)
    assert.deepEqual([keys.length, keys[0]?.id], [2, rotated.id])
    const table = (await cli(env, 'app', 'keys', packageName)).out.split('\n')
    assert.match(String(table[0]), /^ID +CREATED +LAST USED +FROM$/)
    assert.match(String(table[1]), / never *$/)
    assert.match(String(table[2]), / \d{4}-\S+Z +127\.0\.0\.1$/)
    await json('app', 'keys', packageName, '--revoke', String(keys[1]?.id))
    assert.equal((await cloud.request('GET', '/api/transcripts/none?duration=1', { headers })).status, 401)
    cloud.cloud.features.appLog.recorder.record(packageName, {
      level: 'info',
      kind: 'socket',
      event: 'opened',
      message: 'a\u001b[2Jb',
    })
    const logs = await cli(env, 'app', 'logs', packageName)
    assert.match(logs.out, /info {2}socket {3}opened a \[2Jb\n$/)
    assert.equal((await json('app', 'logs', packageName, '--limit', '1')).event, 'opened')
  })

  test('app list reads the local database, or the cloud that is named', async () => {
    const packageName = newPackageName()
    await json('app', 'create', await manifest({ packageName }))
    await cloud.registerApp({ packageName: 'of.another.developer' })
    const names = (apps: { packageName: string }[]) => apps.map((app) => app.packageName)
    assert.ok(names(await json('app', 'list')).includes('of.another.developer'))
    const remote = await cli(env, 'app', 'list', '--url', cloud.url)
    assert.equal(remote.err, `Your apps on ${cloud.url}\n`)
    assert.ok(remote.out.includes(packageName) && !remote.out.includes('of.another.developer'))
  })

  test('an invalid manifest is rejected with a sentence for each field', async () => {
    const { code, out, err } = await cli(
      env,
      'app',
      'create',
      await manifest({ packageName: 'x', name: '', featured: true }),
    )
    assert.deepEqual([code, out], [1, ''])
    assert.match(err, /name must not be empty/)
    assert.equal((await cli(env, 'app', 'publish', 'no.such.app')).err, 'App not found\n')
  })

  test('org commands create, invite, accept, change and remove', async () => {
    const { slug } = await json('org', 'create', 'Acme Labs')
    assert.equal(slug, 'acme-labs')
    await json('org', 'invite', slug, 'bob@example.org')
    const line = cloud.logged.findLast((entry) => JSON.stringify(entry).includes('/join#token='))
    const token = /join#token=([\w.-]+)/.exec(JSON.stringify(line))?.[1] ?? ''
    const bob = { ...env, XDG_CONFIG_HOME: join(String(env.HOME), 'bob') }
    await cliWithInput(bob, `${password}\n`, 'login', '--url', cloud.url, '--email', 'bob@example.org')
    assert.equal((await cli(bob, 'org', 'accept', token)).out, 'You are member of acme-labs\n')
    await json('org', 'role', slug, 'bob@example.org', 'admin')
    assert.match((await cli(env, 'org', 'members', slug)).out, /bob@example\.org +admin/)
    const packageName = newPackageName()
    await json('app', 'create', await manifest({ packageName }), '--org', slug)
    assert.match((await cli(bob, 'app', 'list', '--url', cloud.url)).out, new RegExp(packageName))
    await json('org', 'remove', slug, 'bob@example.org')
    assert.deepEqual(
      (await json('org', 'list')).map((one: { slug: string }) => one.slug),
      [slug],
    )
    assert.equal((await cli(bob, 'org', 'list', '--json')).out, '[]\n')
  })
})
