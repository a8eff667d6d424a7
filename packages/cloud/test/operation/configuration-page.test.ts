import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { type Env, readConfig } from '../../src/config/index.ts'

/** The settings of the page, each with the content of its `Default` column. */
async function documentedSettings(): Promise<[name: string, fallback: string][]> {
  const page = await readFile(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8')
  const rows = page.matchAll(/^\| ((?:`[A-Z0-9_]+`(?:, )?)+) \| (.+?) \| .+ \|$/gm)
  return [...rows].flatMap(([, names = '', fallback = '']) =>
    [...names.matchAll(/[A-Z0-9_]+/g)].map(([name]): [string, string] => [name, fallback]),
  )
}

/** The names of the environment variables that `readConfig` reads. */
function readSettings(env: Env): string[] {
  const names = new Set<string>()
  readConfig(
    new Proxy(env, {
      get(target, name) {
        names.add(String(name))
        return target[String(name)]
      },
    }),
  )
  return [...names]
}

describe('docs/configuration.md', () => {
  test('CFG-12: lists exactly the settings that are read, each once', async () => {
    const read = readSettings({ OIDC_ISSUER: 'https://login.example.org', OIDC_AUDIENCE: 'glasses' })
    assert.deepEqual((await documentedSettings()).map(([name]) => name).sort(), read.sort())
  })

  test('CFG-12: names the default of each setting', async () => {
    const defaults = readConfig({})
    const literal = (await documentedSettings()).flatMap(([name, fallback]) => {
      const value = /^`([^`]+)`$/.exec(fallback)?.[1]
      return value === undefined || value === 'PUBLIC_URL' ? [] : [[name, value] as const]
    })
    assert.ok(literal.length >= 14, String(literal.length))
    for (const [name, value] of literal) assert.deepEqual(readConfig({ [name]: value }), defaults, name)
  })
})
