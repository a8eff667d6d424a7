import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { runCommandLine } from '../../src/cli/run.ts'
import { readConfig } from '../../src/config/index.ts'
import { eitherDatabase } from '../../src/db/testing.ts'
import { cli, spawnCli } from '../support/cli.ts'
import { suiteScope } from '../support/scope.ts'
import { type SpawnedCloud, spawnCloud } from '../support/test-cloud.ts'
import { withTimeout } from '../support/wait-for.ts'

eitherDatabase((database) => {
  describe('commands with a running server', () => {
    const scope = suiteScope()
    let running: Promise<SpawnedCloud> | undefined
    const runningCloud = () => {
      running ??= spawnCloud(scope, { database })
      return running
    }

    /** Writes a manifest and registers it. */
    const register = async (manifest: object, ...options: string[]) => {
      const { env } = await runningCloud()
      const file = join(String(env.DATA_DIR), 'manifest.json')
      // As editors of Windows save it.
      await writeFile(file, `\uFEFF${JSON.stringify(manifest, null, 2).replaceAll('\n', '\r\n')}`)
      return cli(env, 'app', 'register', file, ...options)
    }
    const app = { packageName: 'dev.example.one', name: 'One', publicUrl: 'http://127.0.0.1:9' }

    test('CLI-10: token prints a valid token and nothing else', async (t) => {
      const cloud = await runningCloud()
      const { code, out, err } = await spawnCli(t, cloud.env, 'token', 'New.Wearer@B.de')
      assert.deepEqual([code, err], [0, ''])
      assert.match(out, /^[\w-]+\.[\w-]+\.[\w-]+\n$/)
      const { status } = await cloud.request('POST', '/api/auth/glasses-token', { token: out.trim() })
      assert.equal(status, 200)
      assert.ok(await cloud.operator.users.findByEmail('new.wearer@b.de'))
    })

    test('CLI-3 CLI-10: an invalid e-mail address creates no user', async () => {
      const cloud = await runningCloud()
      const { code, out, err } = await cli(cloud.env, 'token', 'nobody')
      assert.deepEqual([code, out, err], [1, '', '"nobody" is not a valid e-mail address\n'])
      assert.equal(await cloud.operator.users.findByEmail('nobody'), undefined)
    })

    test('CLI-11: token accepts a scope and a lifetime', async () => {
      const { env } = await runningCloud()
      const { out } = await cli(env, 'token', 'a@b.de', '--scope', 'glasses', '--expires', '15m')
      const claims = JSON.parse(Buffer.from(out.split('.')[1] ?? '', 'base64url').toString())
      assert.equal(claims.scope, 'glasses')
      assert.equal(claims.exp - claims.iat, 900)
      const core = await cli(env, 'token', 'a@b.de')
      const { scope, exp, iat } = JSON.parse(
        Buffer.from(core.out.split('.')[1] ?? '', 'base64url').toString(),
      )
      assert.deepEqual([scope, exp - iat], [undefined, 86_400])
    })

    test('CLI-20 CLI-21 CLI-22: an app is registered and updated, and its key is rotated', async () => {
      const { operator } = await runningCloud()
      const first = await register({ ...app, description: 'The first', appStoreStatus: 'PUBLISHED' })
      assert.deepEqual([first.code, first.err], [0, ''])
      const { apiKey, ...rest } = JSON.parse(first.out)
      assert.deepEqual(rest, { packageName: 'dev.example.one' })
      assert.match(apiKey, /^gck_/)

      const again = await register({ ...app, name: 'Uno' })
      assert.equal(again.out, '{"packageName":"dev.example.one","apiKey":null}\n')
      const stored = await operator.apps.findByPackage('dev.example.one')
      assert.deepEqual(
        [stored?.name, stored?.description, stored?.appStoreStatus],
        ['Uno', 'The first', 'PUBLISHED'],
      )

      const rotated = JSON.parse((await register(app, '--rotate')).out)
      assert.match(rotated.apiKey, /^gck_/)
      assert.notEqual(rotated.apiKey, apiKey)
      const keys = await operator.apiKeys.list(stored?.id ?? '')
      assert.deepEqual(
        keys.map(({ keyId }) => keyId).sort(),
        [apiKey, rotated.apiKey].map((key: string) => key.split('_')[1]).sort(),
      )
    })

    test('CLI-3 CLI-23: an invalid manifest changes nothing', async () => {
      const { operator } = await runningCloud()
      const { code, out, err } = await register({
        ...app,
        packageName: 'dev.example.wrong',
        featured: 1,
        typo: 1,
      })
      assert.deepEqual([code, out], [1, ''])
      assert.match(
        err,
        /manifest\.json: typo is not a known field\n.*manifest\.json: featured must be a boolean\n$/,
      )
      assert.equal(await operator.apps.findByPackage('dev.example.wrong'), undefined)
    })

    test('CLI-25: the organization of a manifest is created', async () => {
      const { operator } = await runningCloud()
      await register({ ...app, packageName: 'dev.example.owned', organization: 'acme-labs', webviewURL: '' })
      const stored = await operator.apps.findByPackage('dev.example.owned')
      assert.equal(stored?.organization?.slug, 'acme-labs')
      assert.equal(stored?.webviewUrl, null)
    })

    test('registering an app that is invisible to everyone prints a warning', async () => {
      const { env } = await runningCloud()
      const invisible = { ...app, packageName: 'dev.example.unseen' }
      const { code, out, err } = await register(invisible)
      assert.equal(code, 0)
      assert.match(out, /^\{"packageName":"dev\.example\.unseen","apiKey":"gck_\S+"\}\n$/)
      assert.match(err, /^No user can see dev\.example\.unseen\. Add a developerId .*\n$/)
      const system = await cli(
        { ...env, SYSTEM_APPS: 'dev.example.unseen' },
        ...['app', 'register', join(String(env.DATA_DIR), 'manifest.json')],
      )
      assert.equal(system.err, '')
      for (const visible of [
        { packageName: 'dev.example.mine', developerId: 'dev@b.de' },
        { packageName: 'dev.example.ours', organization: 'makers-of-it' },
        { packageName: 'dev.example.public', appStoreStatus: 'PUBLISHED' },
      ]) {
        assert.equal((await register({ ...invisible, ...visible })).err, '', JSON.stringify(visible))
      }
    })

    test('apps and users are listed', async () => {
      const { env } = await runningCloud()
      await register({ ...app, packageName: 'dev.example.listed' })
      await cli(env, 'token', 'listed@b.de')
      const apps = await cli(env, 'app', 'list')
      assert.match(apps.out, /^PACKAGE +NAME +TYPE +STATUS +SERVER\n/)
      assert.match(apps.out, /^dev\.example\.listed +One +STANDARD +DEVELOPMENT +http:\/\/127\.0\.0\.1:9$/m)
      const appsJson: { packageName: string }[] = JSON.parse((await cli(env, 'app', 'list', '--json')).out)
      assert.ok(appsJson.some(({ packageName }) => packageName === 'dev.example.listed'))
      const users = await cli(env, 'user', 'list')
      assert.match(users.out, /^listed@b\.de +\d{4}-\d\d-\d\dT\S+Z +\S+$/m)
      const usersJson: { email: string }[] = JSON.parse((await cli(env, 'user', 'list', '--json')).out)
      assert.ok(usersJson.some(({ email }) => email === 'listed@b.de'))
      assert.doesNotMatch(apps.out + JSON.stringify(appsJson), /gck_|[0-9a-f]{64}/)
    })

    test('ADM-30: user admin makes a user an administrator and back', async () => {
      const { env, operator } = await runningCloud()
      const isAdministrator = async () => (await operator.users.findByEmail('chief@b.de'))?.isAdministrator
      const granted = await cli(env, 'user', 'admin', 'Chief@B.de')
      assert.deepEqual([granted.code, granted.err], [0, ''])
      assert.equal(await isAdministrator(), true)
      assert.match((await cli(env, 'user', 'list')).out, /chief@b\.de +administrator/)
      const last = await cli(env, 'user', 'admin', 'chief@b.de', '--revoke')
      assert.equal(last.code, 1)
      assert.match(last.err, /chief@b\.de is the last administrator .* "user admin EMAIL"/)
      assert.equal(await isAdministrator(), true)
      assert.equal((await cli(env, 'user', 'admin', 'second@b.de')).code, 0)
      assert.equal((await cli(env, 'user', 'admin', 'chief@b.de', '--revoke')).code, 0)
      assert.equal(await isAdministrator(), false)
      const unknown = await cli(env, 'user', 'admin', 'nobody@b.de', '--revoke')
      assert.deepEqual([unknown.code, unknown.out], [1, ''])
    })

    test('CLI-37: an unconfirmed address is confirmed before its user becomes an administrator', async () => {
      const { env, operator } = await runningCloud()
      await operator.users.create('claimed@b.de', '', Date.now())
      for (const args of [
        ['user', 'admin', 'claimed@b.de'],
        ['org', 'add', 'confirmed', '--member', 'claimed@b.de'],
      ]) {
        const refused = await cli(env, ...args)
        assert.equal(refused.code, 1)
        assert.match(refused.err, /claimed@b\.de is not confirmed.*user confirm claimed@b\.de/)
      }
      assert.equal((await cli(env, 'user', 'confirm', 'nobody@b.de')).code, 1)
      assert.equal((await cli(env, 'user', 'confirm', 'Claimed@B.de')).code, 0)
      assert.equal((await cli(env, 'user', 'admin', 'claimed@b.de')).code, 0)
      assert.equal((await operator.users.findByEmail('claimed@b.de'))?.isAdministrator, true)
    })

    test('CLI-31: an organization is created, renamed and extended with members', async () => {
      const { env, operator } = await runningCloud()
      const created = await cli(
        env,
        'org',
        'add',
        'makers',
        '--member',
        'Boss@B.de:admin',
        '--member',
        'hand@b.de',
      )
      assert.deepEqual([created.code, created.err], [0, ''])
      const { id, slug, members } = JSON.parse(created.out)
      assert.equal(slug, 'makers')
      assert.deepEqual(members, [
        { email: 'boss@b.de', role: 'admin' },
        { email: 'hand@b.de', role: 'member' },
      ])
      await cli(env, 'org', 'add', 'makers', '--name', 'The Makers', '--member', 'hand@b.de:admin')
      assert.equal((await operator.organizations.findById(id))?.name, 'The Makers')
      for (const email of ['boss@b.de', 'hand@b.de']) {
        const user = await operator.users.findByEmail(email)
        assert.equal(await operator.organizations.membership(id, user?.id ?? ''), 'admin', email)
      }
    })

    test('phone reports are listed newest first', async () => {
      const cloud = await runningCloud()
      const token = (await cli(cloud.env, 'token', 'reporter@b.de')).out.trim()
      const report = async (path: string, body: unknown) => {
        const response = await cloud.request<{ incidentId?: string }>('POST', path, { token, body })
        assert.equal(response.status, 200, path)
        // Reports are sorted by millisecond.
        for (const then = Date.now(); Date.now() <= then; ) await setImmediate()
        return response.body
      }
      await report('/api/client/feedback', { feedback: 'It\u001b[2J is\nfine', phoneState: { os: 'x' } })
      await report('/api/error-report', { crash: 'y'.repeat(100) })
      const { incidentId } = await report('/api/incidents', { feedback: { expected: 'more' } })
      const logs = [{ timestamp: 1, level: 'warn', message: 'hm' }]
      await report(`/api/incidents/${incidentId}/logs`, { source: 'phone', logs })
      const form = new FormData()
      form.append('files', new Blob(['seen']), 'seen.txt')
      const attached = await fetch(`${cloud.url}/api/incidents/${incidentId}/attachments`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: form,
      })
      assert.equal(attached.status, 200)
      await cloud.request('POST', '/api/error-report', { body: { of: 'nobody' } })

      const { code, out, err } = await cli(cloud.env, 'report', 'list')
      assert.deepEqual([code, err], [0, ''])
      const rows = out.trimEnd().split('\n')
      assert.deepEqual(
        rows.map((row) => row.replace(/^\S+ +/, '').replaceAll(/ +/g, ' ')),
        [
          'KIND USER CONTENT',
          'error - {"of":"nobody"}',
          'incident reporter@b.de {"expected":"more"}',
          `error reporter@b.de {"crash":"${'y'.repeat(69)}…`,
          'feedback reporter@b.de It [2J is fine',
        ],
      )

      const all = JSON.parse((await cli(cloud.env, 'report', 'list', '--json')).out)
      assert.deepEqual(
        all.map(({ kind, user, content }: Record<string, unknown>) => [kind, user, content]),
        [
          ['error', null, { of: 'nobody' }],
          ['incident', 'reporter@b.de', { feedback: { expected: 'more' } }],
          ['error', 'reporter@b.de', { crash: 'y'.repeat(100) }],
          ['feedback', 'reporter@b.de', { feedback: 'It\u001b[2J is\nfine', phoneState: { os: 'x' } }],
        ],
      )
      const [, incident] = all
      assert.deepEqual(incident.logs, [{ source: 'phone', logs }])
      const [file] = incident.files
      assert.deepEqual([file.filename, incident.files.length], ['seen.txt', 1])
      assert.equal(await readFile(join(String(cloud.env.DATA_DIR), 'blobs', file.path), 'utf8'), 'seen')

      const two = JSON.parse((await cli(cloud.env, 'report', 'list', '--json', '--limit', '2')).out)
      assert.deepEqual(two, all.slice(0, 2))
    })

    test('CLI-40: doctor prints the state of each part', async () => {
      const cloud = await runningCloud()
      await register({ ...app, packageName: 'dev.example.known' })
      const env = {
        ...cloud.env,
        PORT: new URL(cloud.url).port,
        SYSTEM_APPS: 'dev.example.known,dev.example.unknown',
        API_KEY_PACKAGES: 'dev.example.known',
        TRUST_PROXY: 'true',
      }
      const healthy = await cli(env, 'doctor')
      assert.equal(healthy.code, 0, healthy.out)
      const defaults = await cli({ ...env, SYSTEM_APPS: undefined }, 'doctor')
      assert.doesNotMatch(defaults.out, /unregistered/)
      for (const part of ['node', 'settings', 'data folder', 'secret', 'database', 'thumbnails', 'server']) {
        assert.match(healthy.out, new RegExp(`^ok +${part} `, 'm'))
      }
      assert.match(
        healthy.out,
        /^note +apps +SYSTEM_APPS contains unregistered packages: dev\.example\.unknown$/m,
      )
      assert.match(healthy.out, /^note +proxy +TRUST_PROXY=true lets every client choose its address/m)
      assert.doesNotMatch(healthy.out, /API_KEY_PACKAGES/)
    })

    test('CLI-40: doctor exits with 1 if a part does not work', async () => {
      const { env } = await runningCloud()
      const settings = await cli({ ...env, PORT: 'x' }, 'doctor')
      assert.equal(settings.code, 1)
      assert.match(settings.out, /^error +settings +PORT must be/m)
      const parts = await cli(
        {
          ...env,
          PORT: '9',
          DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:9/x',
          REDIS_URL: 'redis://127.0.0.1:9',
          SHARED_DATA_DIR: 'true',
          SMTP_URL: 'smtp://ada%40example.com:hunter2@127.0.0.1:9',
        },
        'doctor',
      )
      assert.equal(parts.code, 1)
      assert.match(
        parts.out,
        /^error +mail +127\.0\.0\.1:9 cannot be used \(.*ECONNREFUSED.*; check SMTP_URL$/m,
      )
      assert.match(parts.out, /^error +database +PostgreSQL at 127\.0\.0\.1:9\/x is not available/m)
      assert.match(parts.out, /^error +redis +does not respond/m)
      const folder = join(String(env.DATA_DIR), 'short')
      await mkdir(folder, { mode: 0o700 })
      await writeFile(join(folder, 'auth-secret'), 'short')
      const secret = await cli({ ...env, DATA_DIR: folder, AUTH_SECRET: '', PORT: '9' }, 'doctor')
      assert.equal(secret.code, 1)
      assert.match(secret.out, /^error +secret +\S+auth-secret has fewer than 32 characters/m)
      assert.match(parts.out, /^note +server +http:\/\/127\.0\.0\.1:9 is not running/m)
      assert.doesNotMatch(parts.out, /hunter2/)
    })

    test('simulate connects glasses until its input ends', async () => {
      const cloud = await runningCloud()
      const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
      const out = text(stdout)
      const err = text(stderr)
      stdin.end('quit\n')
      const args = ['simulate', '--email', 'glasses@b.de', '--url', cloud.url]
      const ended = runCommandLine(args, () => readConfig(cloud.env), { stdin, stdout, stderr })
      assert.equal(await withTimeout(20_000, ended, 'the simulation did not end'), 0)
      stdout.end()
      stderr.end()
      assert.match(await out, /Glasses of glasses@b\.de connected to http/)
      assert.equal(await err, '')
    })
  })
})
