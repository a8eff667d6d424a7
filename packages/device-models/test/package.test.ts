import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { buildPackage } from '../build.ts'

const USE = `
import { EvenG1Model, FakeBluetooth } from '@glasses-cloud/device-models'
const clock = { now: () => 0, setTimeout: (run, ms) => ms < 100 && queueMicrotask(run), clearTimeout() {} }
const { left, arms } = new EvenG1Model(clock)
new FakeBluetooth(arms)
await left.connect({ notification: (bytes) => console.log(Buffer.from(bytes).toString('hex')), disconnected() {} })
await left.write(Uint8Array.of(0x4d, 0x01))
`

const USE_LUA = `
import { BrilliantModel } from '@glasses-cloud/device-models/brilliant'
const clock = { now: () => 0, setTimeout: (run) => queueMicrotask(run), clearTimeout() {} }
const frame = new BrilliantModel(clock, 'Frame')
await frame.connect({ notification: (bytes) => console.log(Buffer.from(bytes).toString()), disconnected() {} })
await frame.write(Buffer.from('print(1 + 2)'))
`

test('the package that is published runs in Node without TypeScript', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'device-models-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const installed = join(folder, 'node_modules/@glasses-cloud/device-models')
  buildPackage(installed)
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
  assert.deepEqual(
    files.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts')),
    [],
  )
  for (const name of ['index.js', 'index.d.ts', 'LICENSE', 'README.md', 'package.json'])
    assert.ok(files.includes(name), name)
  // What npm would install with it.
  symlinkSync(
    join(import.meta.dirname, '../../../node_modules/fengari'),
    join(folder, 'node_modules/fengari'),
  )
  const run = (source: string) => {
    const script = join(folder, 'use.mjs')
    writeFileSync(script, source)
    return execFileSync(process.execPath, [script], { encoding: 'utf8' })
  }
  assert.equal(run(USE), '4dc9\n')
  assert.equal(run(USE_LUA), '3\n')
})
