import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { cli } from '../support/cli.ts'
import { inheritedEnv } from '../support/inherited-env.ts'
import { startCloud } from '../support/test-cloud.ts'

const packageName = 'web.view.app'

/** An app on the SDK that prints the user of a request with a signed token. */
const MIDDLEWARE = `
  import { createAuthMiddleware } from '@mentra/sdk'
  const { TOKEN, API_KEY } = process.env
  const middleware = createAuthMiddleware({ apiKey: API_KEY, packageName: '${packageName}', cookieSecret: 'a cookie secret' })
  const request = { query: { aos_signed_user_token: TOKEN }, headers: {}, cookies: {}, url: '/' }
  const response = { cookie() {}, clearCookie() {}, redirect() {}, setHeader() {} }
  await new Promise((resolve) => middleware(request, response, resolve))
  console.log('USER', request.authUserId ?? 'none')
  process.exit(0)
`

test('CLI-70: the SDK with the printed key', async (t) => {
  const cloud = await startCloud(t, { env: { OAUTH_ISSUER: 'https://prod.augmentos.cloud' } })
  const { apiKey } = await cloud.registerApp({ packageName, webviewURL: 'https://app.example.org' })
  const { code, out: pem } = await cli(cloud.env, 'public-key')
  assert.equal(code, 0)
  assert.match(pem, /^-----BEGIN PUBLIC KEY-----\n[\s\S]+\n-----END PUBLIC KEY-----\n$/)
  const token = await cloud.token('me@example.org')
  const issued = await cloud.request<{ token: string }>('POST', '/api/account/oauth/token', {
    token,
    body: { packageName },
  })
  const run = async (env: Record<string, string>) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', MIDDLEWARE],
      {
        cwd: import.meta.dirname,
        env: { ...inheritedEnv(), API_KEY: apiKey, TOKEN: issued.body.token, ...env },
      },
    )
    return /^USER (.+)$/m.exec(stdout)?.[1]
  }
  assert.equal(await run({ MENTRAOS_CLOUD_USER_TOKEN_PUBLIC_KEY: pem }), 'me@example.org')
  assert.equal(await run({}), 'none')

  const manifest = join(cloud.env.DATA_DIR ?? '', 'manifest.json')
  const fields = { packageName: 'other.web.app', name: 'Other', publicUrl: 'https://app.example.org' }
  await writeFile(manifest, JSON.stringify({ ...fields, webviewURL: 'https://app.example.org/page' }))
  assert.match((await cli(cloud.env, 'app', 'register', manifest)).err, /cli -- public-key/)
})
