import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const bare = fileURLToPath(new URL('../.ci/bare', import.meta.url))

const canUnshare = ['dpkg-query', 'unshare'].every((name) => spawnSync(name, ['--version']).status === 0)
const inNamespace = ['--net', ...(process.getuid?.() === 0 ? [] : ['--map-root-user']), 'true']
const missing = !canUnshare || spawnSync('unshare', inNamespace).status !== 0

const program = `
const { connect } = require('node:net')
const { spawnSync } = require('node:child_process')
const finds = (name) => spawnSync(name, ['--version']).error === undefined
connect(Number(process.argv[1]), '127.0.0.1')
  .on('connect', () => report('connected'))
  .on('error', ({ code }) => report(code))
const report = (network) =>
  console.log(JSON.stringify({
    network,
    secret: process.env.TEST_DATABASE_URL ?? null,
    found: ['node', 'npm', 'git', 'sh', 'sed', 'python3', 'ip', 'ffmpeg', 'redis-server'].filter(finds),
  }))
`

test('a command finds no service, no variable and no optional program', {
  skip: missing && 'network namespaces are not available (run as root on Debian)',
}, async (t) => {
  const server = createServer((socket) => socket.end())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  const result = spawnSync('bash', [bare, 'node', '-e', program, String(address.port)], {
    encoding: 'utf8',
    env: { ...process.env, TEST_DATABASE_URL: 'postgres://somewhere' },
  })
  assert.equal(result.status, 0, result.stderr)
  assert.deepEqual(JSON.parse(result.stdout), {
    network: 'ECONNREFUSED',
    secret: null,
    found: ['node', 'npm', 'git', 'sh', 'sed'],
  })
  assert.equal(spawnSync('bash', [bare, 'node', '-e', 'process.exit(3)']).status, 3)
})
