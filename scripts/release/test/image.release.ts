import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { NAME, PROJECT, RELEASE, VERSION } from './artifacts.ts'
import { BareRoot, checked, skipUnlessPossible, stop } from './bare-root.ts'
import { assertConformance, freePort } from './conformance.ts'

const COMPOSE = join(PROJECT, 'ops/compose')

/** What `buildah inspect` prints of an image. */
interface ImageConfig {
  readonly User: string
  readonly Env: readonly string[]
  readonly Entrypoint: readonly string[]
  readonly Cmd: readonly string[]
  readonly WorkingDir: string
  readonly Volumes: Readonly<Record<string, unknown>>
  readonly Healthcheck: { readonly Test: readonly string[] }
}

describe('the container image', { skip: skipUnlessPossible() }, () => {
  let folder: string
  let container: string
  let root: BareRoot
  let config: ImageConfig
  const buildah = (...args: string[]) =>
    checked('buildah', ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), ...args]).trim()

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'image-'))
    const base = buildah('from', 'scratch')
    buildah('add', '--quiet', base, BareRoot.archive(), '/')
    buildah('commit', '--quiet', base, 'localhost/bare')
    const context = join(folder, 'context')
    mkdirSync(context)
    cpSync(join(RELEASE, `${NAME}.tar.gz`), join(context, `${NAME}.tar.gz`))
    const file = join(PROJECT, 'ops/container/Containerfile')
    const args = ['--build-arg', 'BASE=localhost/bare', '--build-arg', `ARCHIVE=${NAME}`]
    buildah(
      'build',
      '--isolation',
      'chroot',
      '--format',
      'docker',
      '-f',
      file,
      ...args,
      '-t',
      'glasses-cloud',
      context,
    )
    config = JSON.parse(buildah('inspect', '--type', 'image', 'glasses-cloud')).Docker.config
    container = buildah('from', '--pull=never', 'localhost/glasses-cloud')
    root = new BareRoot(buildah('mount', container))
  })
  after(async () => {
    await root.end()
    buildah('umount', '--all')
    buildah('rm', '--all')
    checked('sh', ['-c', `umount ${folder}/storage/overlay 2>/dev/null || true`])
    rmSync(folder, { recursive: true, force: true })
  })

  test('REL-30: runs the commands of the release', () => {
    const version = buildah(
      'run',
      '--isolation',
      'chroot',
      container,
      '--',
      ...config.Entrypoint,
      '--version',
    )
    assert.equal(version, `glasses-cloud ${VERSION}`)
  })

  test('REL-30 REL-31: runs as no root, with a read-only root, is healthy, conforms and ends on SIGTERM', async () => {
    assert.deepEqual(Object.keys(config.Volumes), ['/data'])
    const [data, temporary] = ['data', 'temporary'].map((name) => join(folder, name)) as [string, string]
    for (const each of [data, temporary]) mkdirSync(each)
    checked('chown', ['10001:10001', data, temporary])
    const port = await freePort()
    const env = {
      ...Object.fromEntries(config.Env.map((line) => line.split(/=(.*)/s).slice(0, 2))),
      PORT: `${port}`,
      REST_LIMIT_PER_MINUTE: '300',
      ALLOW_PRIVATE_NETWORKS: 'true',
    }
    const mounts = { '/data': data, '/tmp': temporary }
    const options = { user: config.User, cwd: config.WorkingDir, env, mounts, readOnly: true }
    assert.notEqual(root.run(['touch', '/opt/file'], { ...options, user: '0:0' }).status, 0)
    const health = () => root.run(config.Healthcheck.Test.slice(1), options).status
    assert.equal(health(), 1)
    const cloud = await root.start([...config.Entrypoint, ...config.Cmd], options)
    assert.equal(health(), 0)
    await assertConformance(root, config.Entrypoint, options, port)
    assert.equal(await stop(cloud), 0)
    assert.equal(health(), 1)
  })

  test('the compose files are valid, and their nodes have the addresses that the proxy uses', () => {
    const variables = ['PUBLIC_URL', 'AUTH_SECRET', 'DATABASE_PASSWORD', 'REDIS_PASSWORD', 'S3_SECRET']
    const env = { ...process.env, ...Object.fromEntries(variables.map((name) => [name, 'value'])) }
    checked('docker-compose', ['-f', join(COMPOSE, 'one-node.yaml'), 'config', '-q'], env)
    const nodes = checked('docker-compose', ['-f', join(COMPOSE, 'three-nodes.yaml'), 'config'], env)
    const addresses = [...nodes.matchAll(/ipv4_address: (10\.0\.0\.1[123])/g)].map(([, address]) => address)
    const proxy = checked('cat', [join(PROJECT, 'ops/proxies/haproxy.cfg')])
    assert.equal(new Set(addresses).size, 3)
    for (const address of addresses) assert.ok(proxy.includes(`${address}:8080`), address)
  })
})
