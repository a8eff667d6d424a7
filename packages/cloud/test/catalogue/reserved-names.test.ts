import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RESERVED_PACKAGE_NAMES } from '@glasses-cloud/contract'
import { urlsOf } from '../../src/http/endpoint.ts'
import { startCloud } from '../support/test-cloud.ts'

test('CLI-28: the reserved package names are the path segments that conflict with :packageName', async (t) => {
  const { cloud } = await startCloud(t)
  const paths = cloud.server.endpoints.flatMap((endpoint) => urlsOf(endpoint).map((url) => url.split('/')))
  const siblings = paths.flatMap((path) => {
    const index = path.indexOf(':packageName')
    if (index < 0) return []
    const before = path.slice(0, index).join('/')
    return paths
      .filter((other) => other.slice(0, index).join('/') === before)
      .flatMap((other) => other[index] ?? [])
      .filter((segment) => !segment.startsWith(':'))
  })
  assert.deepEqual([...new Set(siblings)].sort(), [...RESERVED_PACKAGE_NAMES].sort())
})
