import assert from 'node:assert/strict'
import { test } from 'node:test'
import { installationCode } from './installation-code.ts'

test('BRG-45: the parameters of the code survive special characters', () => {
  const address = {
    url: 'https://cloud.example.org:8443/glasses/bridge',
    package: 'dev.glassescloud.bridge',
    version: '1.0.7',
    name: 'Glasses & Cloud',
  }
  const code = new URL(installationCode(address))
  assert.deepEqual([code.protocol, code.host], ['miniapp:', 'release'])
  assert.deepEqual(Object.fromEntries(code.searchParams), address)
})
