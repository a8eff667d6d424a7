import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { strFromU8, unzipSync } from 'fflate'
import { serve } from '../../http/testing.ts'
import { createBridge } from './index.ts'

const ICON = Buffer.from('an icon')
const SCRIPT = 'console.log("the phone")'
const BASE = '/glasses/bridge'

/** Serves a build with these files. */
async function serveBridge(
  t: TestContext,
  files: Readonly<Record<string, string | Buffer>> = { 'mini-app.js': SCRIPT, 'icon-192.png': ICON },
  publicUrl = 'https://cloud.example.org/base/',
) {
  const folder = await mkdtemp(join(tmpdir(), 'bridge-'))
  t.after(() => rm(folder, { recursive: true }))
  const write = async () => {
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  }
  const build = pathToFileURL(`${folder}/`)
  const { endpoints = [] } = createBridge({ publicUrl: () => new URL(publicUrl), build })
  return { ...(await serve(t, endpoints)), write }
}

async function fetchBundle(url: string) {
  const response = await fetch(`${url}${BASE}/bundle.zip`)
  assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'application/zip'])
  const bytes = new Uint8Array(await response.arrayBuffer())
  const files = Object.entries(unzipSync(bytes)).map(([name, content]): [string, string] => [
    name,
    strFromU8(content),
  ])
  return { bytes, files: Object.fromEntries(files), etag: response.headers.get('etag') }
}

describe('the mini app of a cloud', () => {
  test('BRG-40: manifest and icon, by themselves and in the archive', async (t) => {
    const { url, request, write } = await serveBridge(t)
    await write()
    const { files } = await fetchBundle(url)
    assert.deepEqual(Object.keys(files), ['miniapp.json', 'background/index.js', 'ui/index.html', 'icon.png'])
    const manifest = await request(`${BASE}/miniapp.json`)
    assert.equal(manifest.text, files['miniapp.json'])
    assert.match(manifest.headers.get('content-type') ?? '', /^application\/json/)
    const { packageName, version, name, entry, hardwareRequirements, permissions } = JSON.parse(manifest.text)
    assert.match(packageName, /^[a-zA-Z][a-zA-Z0-9_]*(\.[a-zA-Z][a-zA-Z0-9_]*)+$/)
    assert.match(version, /^1\.0\.\d+$/)
    assert.equal(name, 'Glasses Cloud')
    for (const path of Object.values(entry)) assert.ok(String(path) in files, String(path))
    assert.deepEqual(hardwareRequirements[0], { type: 'DISPLAY', level: 'REQUIRED' })
    assert.deepEqual(
      permissions.map(({ type, required }: Record<string, unknown>) => [type, required]),
      [
        ['MICROPHONE', false],
        ['LOCATION', false],
      ],
    )
    const icon = await request(`${BASE}/icon.png`)
    assert.deepEqual([icon.text, icon.headers.get('content-type')], ['an icon', 'image/png'])
    assert.equal(files['icon.png'], 'an icon')
  })

  test('the script has the address of the cloud', async (t) => {
    const { url, write } = await serveBridge(t, undefined, 'https://cloud.example.org/base/')
    await write()
    const { files } = await fetchBundle(url)
    const script =
      'globalThis.GLASSES_CLOUD_URL = "https://cloud.example.org/base";\nconsole.log("the phone")'
    assert.equal(files['background/index.js'], script)
    assert.match(files['ui/index.html'] ?? '', /https:\/\/cloud\.example\.org\/base\/device/)
  })

  test('BRG-42: the archive has the same bytes on every node, another version for other content, and a hash', async (t) => {
    const build = { 'mini-app.js': SCRIPT, 'icon-192.png': ICON }
    const [one, same, otherScript, otherAddress] = await Promise.all([
      serveBridge(t, build),
      serveBridge(t, build),
      serveBridge(t, { ...build, 'mini-app.js': 'other' }),
      serveBridge(t, build, 'https://other.example.org'),
    ])
    await Promise.all([one, same, otherScript, otherAddress].map(({ write }) => write()))
    const first = await fetchBundle(one.url)
    assert.deepEqual((await fetchBundle(same.url)).bytes, first.bytes)
    const versions = new Set<unknown>()
    for (const { url } of [one, otherScript, otherAddress])
      versions.add(JSON.parse((await fetchBundle(url)).files['miniapp.json'] ?? '').version)
    assert.equal(versions.size, 3)
    const sha256 = createHash('sha256').update(first.bytes).digest('hex')
    assert.equal((await one.request(`${BASE}/bundle.zip.sha256`)).text, `${sha256}  bundle.zip\n`)
    assert.equal(first.etag, `"${sha256}"`)
  })

  test('without a built console there is no mini app, until it is built', async (t) => {
    const { request, write } = await serveBridge(t)
    const names = ['miniapp.json', 'icon.png', 'bundle.zip', 'bundle.zip.sha256']
    for (const name of names) {
      const { status, text } = await request(`${BASE}/${name}`)
      assert.deepEqual([status, JSON.parse(text).error], [404, 'NOT_FOUND'], name)
    }
    await write()
    for (const name of names) assert.equal((await request(`${BASE}/${name}`)).status, 200, name)
  })
})
