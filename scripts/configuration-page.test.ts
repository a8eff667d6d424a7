import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { configurationPage } from './configuration-page.ts'

test('docs/configuration.md is made of the declarations of the settings', async () => {
  const page = await readFile(new URL('../docs/configuration.md', import.meta.url), 'utf8')
  assert.equal(page, configurationPage(), 'run: node scripts/configuration-page.ts')
})
