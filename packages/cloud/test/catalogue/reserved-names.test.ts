import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reservedPackageNames } from '@glasses-cloud/contract'
import { urlsOf } from '../../src/http/endpoint.ts'
import { startCloud } from '../support/test-cloud.ts'

test('CLI-28: what no package may be called is what stands beside packages in the addresses', async (t) => {
  const { cloud } = await startCloud(t)
  const paths = cloud.server.endpoints.flatMap((endpoint) => urlsOf(endpoint).map((url) => url.split('/')))
  const beside = paths.flatMap((path) => {
    const at = path.indexOf(':packageName')
    if (at < 0) return []
    const before = path.slice(0, at).join('/')
    return paths
      .filter((other) => other.slice(0, at).join('/') === before)
      .flatMap((other) => other[at] ?? [])
      .filter((word) => !word.startsWith(':'))
  })
  assert.deepEqual([...new Set(beside)].sort(), [...reservedPackageNames].sort())
})
