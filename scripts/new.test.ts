import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { parseSync } from 'oxc-parser'
import { runScript } from './testing/run-script.ts'
import { temporaryProject } from './testing/temporary-project.ts'

describe('npm run new', () => {
  test('creates the files of a feature and prints the next steps', async (t) => {
    const root = temporaryProject(t, {})
    const { exitCode, stdout, stderr } = await runScript('new.ts', root, ['feature', 'app-weather'])
    assert.equal(exitCode, 0, stderr)
    const folder = 'packages/cloud/src/features/app-weather'
    const sources = [`${folder}/index.ts`, `${folder}/endpoints.ts`]
    for (const path of [...sources, 'docs/rules/app-weather.md'])
      assert.ok(stdout.includes(path) && existsSync(join(root, path)), path)
    const [index = '', endpoints = ''] = sources.map((path) => readFileSync(join(root, path), 'utf8'))
    assert.match(index, /export function createAppWeather\(.*: AppWeatherDeps\): Feature/)
    assert.match(endpoints, /export const appWeatherEndpoints = \(.*\): Endpoint\[\] => \[/)
    const imported = [index, endpoints].flatMap((text) => parseSync('index.ts', text).module.staticImports)
    for (const { value } of imported.map(({ moduleRequest }) => moduleRequest))
      if (value.startsWith('.'))
        assert.ok(
          [root, join(import.meta.dirname, '..')].some((base) => existsSync(join(base, folder, value))),
          value,
        )
    assert.match(readFileSync(join(root, 'docs/rules/app-weather.md'), 'utf8'), /^# App weather\n/)
  })

  test('rejects invalid names and changes no existing file', async (t) => {
    const path = 'packages/cloud/src/features/weather/index.ts'
    const root = temporaryProject(t, { [path]: 'existing' })
    const existing = await runScript('new.ts', root, ['feature', 'weather'])
    assert.equal(existing.exitCode, 1)
    assert.equal(existing.stderr, `${path} already exists.\n`)
    assert.equal(readFileSync(join(root, path), 'utf8'), 'existing')
    for (const args of [[], ['feature'], ['feature', 'Weather'], ['feature', '../x'], ['app', 'weather']]) {
      const invalid = await runScript('new.ts', root, args)
      assert.equal(invalid.exitCode, 2, args.join(' '))
      assert.match(invalid.stderr, /^Usage: npm run new/)
    }
  })
})
