import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { serve } from '../../http/testing.ts'
import { createConsolePages } from './index.ts'

const SCRIPT = 'console.log("the console")'

/** Serves a console whose build consists of `files`, by path. */
async function serveConsole(t: TestContext, files: Readonly<Record<string, string | Buffer>>) {
  const folder = await mkdtemp(join(tmpdir(), 'console-'))
  t.after(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'assets'))
  for (const [path, content] of Object.entries(files)) await writeFile(join(folder, path), content)
  const { endpoints = [], sendNotFoundPage } = createConsolePages(
    () => new URL('http://localhost'),
    pathToFileURL(join(folder, 'index.html')),
  )
  return serve(t, endpoints, { ...(sendNotFoundPage && { sendNotFoundPage }) })
}

const built = {
  'index.html':
    '<meta property="csp-nonce" nonce="__CSP_NONCE__"><script src="../assets/main-1a2b.js"></script>',
  'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'assets/main-1a2b.js': SCRIPT,
  'assets/main-1a2b.js.br': brotliCompressSync(SCRIPT),
  'assets/main-1a2b.js.gz': gzipSync(SCRIPT),
  'assets/style.css': 'body { margin: 0 }',
  '.build-stamp': 'a hash',
}

/** Requests a path without decoding the response, which `fetch` would do. */
function requestEncoded(url: string, acceptEncoding: string): Promise<{ encoding?: string; body: Buffer }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ encoding?: string; body: Buffer }>()
  get(url, { headers: { 'accept-encoding': acceptEncoding } }, async (response) => {
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)
    const encoding = response.headers['content-encoding']
    resolve({ body: Buffer.concat(chunks), ...(encoding !== undefined && { encoding }) })
  }).on('error', reject)
  return promise
}

describe('web console', () => {
  test('CON-1: serves the page at / and at the paths of its pages, and nowhere else', async (t) => {
    const { request } = await serveConsole(t, built)
    for (const path of ['/', '/store', '/store/com.example.notes', '/glasses', '/admin/users', '/sign-in']) {
      const response = await request(path)
      assert.deepEqual(
        [response.status, response.headers.get('content-type')],
        [200, 'text/html; charset=utf-8'],
      )
    }
    for (const path of ['/none', '/index.html', '/api/none'])
      assert.equal((await request(path)).status, 404, path)
  })

  test('CON-211: browsers get the page with status 404 at an unknown address, programs get JSON', async (t) => {
    const { request } = await serveConsole(t, built)
    const open = async (path: string, accept: string | undefined, method = 'GET') => {
      const { status, headers } = await request(path, { method, ...(accept && { headers: { accept } }) })
      const [type] = (headers.get('content-type') ?? '').split(';')
      return [status, type, headers.get('vary')]
    }
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
    const page = [404, 'text/html', 'accept']
    const json = [404, 'application/json', 'accept']
    for (const accept of [browser, 'text/html', 'TEXT/HTML;q=0.5, application/json;q=0.4', 'text/*'])
      assert.deepEqual(await open('/stroe', accept), page, accept)
    const ofPrograms = [
      '*/*',
      'application/json',
      'text/html;q=0.4, application/json',
      'text/html;q=0, */*',
      'nonsense',
    ]
    for (const accept of [undefined, ...ofPrograms])
      assert.deepEqual(await open('/stroe', accept), json, String(accept))
    assert.deepEqual(await open('/stroe/a?b=c', browser, 'HEAD'), page)
    for (const path of ['/api/stroe', '/api', '/assets/stroe.js', '/.well-known/stroe'])
      assert.deepEqual(await open(path, browser), [404, 'application/json', null], path)
    assert.deepEqual(await open('/stroe', browser, 'POST'), [404, 'application/json', null])
    assert.match((await request('/stroe', { headers: { accept: browser } })).text, /csp-nonce/)
  })

  test('CON-2: the policy and nonce of a page', async (t) => {
    const { request } = await serveConsole(t, built)
    const [first, second] = [await request('/'), await request('/')]
    const policy = first.headers.get('content-security-policy') ?? ''
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
    assert.match(policy, /default-src 'none'; script-src 'self' 'nonce-[^']+'; style-src 'self' 'nonce-/)
    assert.match(policy, /connect-src 'self'; .*frame-ancestors 'none'/)
    assert.doesNotMatch(policy, /unsafe|https?:|\*/)
    assert.ok(first.text.includes(`nonce="${nonce}"`))
    assert.ok(!second.text.includes(nonce), 'a nonce must not be used twice')
    assert.ok(first.text.includes('<script src="/assets/main-1a2b.js">'))
  })

  test('EG1-34: the pages may use Bluetooth, and frames in them may not', async (t) => {
    const { request } = await serveConsole(t, built)
    for (const path of ['/', '/glasses'])
      assert.equal((await request(path)).headers.get('permissions-policy'), 'bluetooth=(self)')
  })

  test('CON-3: cache and compression headers of hashed files', async (t) => {
    const { url, request } = await serveConsole(t, built)
    const file = `${url}/assets/main-1a2b.js`
    const brotli = await requestEncoded(file, 'gzip, deflate, br')
    assert.deepEqual([brotli.encoding, brotliDecompressSync(brotli.body).toString()], ['br', SCRIPT])
    const gzip = await requestEncoded(file, 'gzip;q=1.0')
    assert.deepEqual([gzip.encoding, gunzipSync(gzip.body).toString()], ['gzip', SCRIPT])
    for (const accepted of ['identity', 'br;q=0, identity', 'deflate', '']) {
      const plain = await requestEncoded(file, accepted)
      assert.deepEqual([plain.encoding, plain.body.toString()], [undefined, SCRIPT], accepted)
    }

    const { headers } = await request('/assets/main-1a2b.js')
    assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.match(headers.get('vary') ?? '', /accept-encoding/)
    assert.equal(headers.get('content-type'), 'text/javascript; charset=utf-8')
    assert.equal((await request('/assets/style.css')).headers.get('content-type'), 'text/css; charset=utf-8')
  })

  test('CON-4: serves no other file of the machine', async (t) => {
    const { request } = await serveConsole(t, built)
    const names = [
      '..%2Findex.html',
      '%2e%2e%2f.build-stamp',
      'none.js',
      'main-1a2b.js.br',
      '..%2f..%2fetc%2fpasswd',
    ]
    for (const name of names) assert.equal((await request(`/assets/${name}`)).status, 404, name)
  })

  test('without a build, the page says how to build it', async (t) => {
    const { request } = await serveConsole(t, {})
    for (const path of ['/', '/reset-password']) {
      const page = await request(path)
      assert.equal(page.status, 200)
      assert.match(page.text, /npm run build/)
    }
    assert.equal((await request('/assets/main-1a2b.js')).status, 404)
    assert.equal((await request('/healthz')).status, 200)
  })
})
