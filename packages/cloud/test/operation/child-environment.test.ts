import assert from 'node:assert/strict'
import { glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { runFfmpeg } from '../../src/features/video/local/ffmpeg.ts'

const SOURCES = fileURLToPath(new URL('../../src', import.meta.url))

/** Starts nodes of the cloud itself, which need its settings. */
const NODES = 'local-cluster/main.ts'

/** Places that give a program an environment of their own, without anything of the cloud. */
const OWN_ENVIRONMENTS: Readonly<Record<string, string>> = {
  'features/sample-app/index.ts':
    "env: { API_KEY: apiKey, PACKAGE_NAME, PORT: String(port), HOST: '127.0.0.1' }",
  'backup/backup-schedule.ts': 'env: {}',
  'features/auth/password/password-policy.ts': 'env: {}',
  'jobs/process-worker.ts': 'env: {}',
  'features/local-speech/model-process.ts': 'env: {}',
  'features/tts/flite/flite.ts': 'env: {}',
}

test('CFG-16: programs that the cloud starts receive no setting and no secret', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'environment-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const program = join(folder, 'program')
  await writeFile(program, '#!/bin/sh\nenv\n', { mode: 0o700 })
  const secrets = { AUTH_SECRET: 's3cret', DATABASE_URL: 's3cret', NEW_SETTING: 's3cret' }
  const before = { ...process.env }
  Object.assign(process.env, secrets)
  t.after(() => {
    for (const name of Object.keys(secrets)) delete process.env[name]
    Object.assign(process.env, before)
  })
  const signal = AbortSignal.timeout(20_000)
  const environment = String(await runFfmpeg(program, [], { signal, maxBytes: 100_000 }))
  assert.ok(environment.includes('PATH='))
  assert.equal(environment.includes('s3cret'), false, environment)
  const names = environment.split('\n').map((line) => line.split('=')[0] ?? '')
  const allowed = /^(PATH|LD_LIBRARY_PATH|LANG|LC_ALL|LC_CTYPE|TZ|TMPDIR|PWD|OLDPWD|SHLVL|_|)$/
  assert.deepEqual(
    names.filter((name) => !allowed.test(name)),
    [],
  )
})

test('CFG-16: each place that starts a program gives it an environment of its own', async () => {
  for await (const name of glob('**/*.ts', { cwd: SOURCES })) {
    if (name.endsWith('.test.ts') || name.includes('testing') || name === NODES) continue
    const source = await readFile(join(SOURCES, name), 'utf8')
    if (!/from 'node:(child_process|worker_threads)'/.test(source)) continue
    const starts =
      source.match(/(?<!\.)\b(spawn|spawnSync|exec|execFile|execFileSync|fork)\(|new Worker\(/g) ?? []
    const environments = source.match(/\benv: childEnvironment\(\)/g) ?? []
    const own = OWN_ENVIRONMENTS[name]
    if (own !== undefined) assert.ok(source.includes(own), `${name} has another environment than expected`)
    assert.equal(
      environments.length + (own === undefined ? 0 : 1),
      starts.length,
      `${name} starts a program with the environment of the cloud`,
    )
  }
})
