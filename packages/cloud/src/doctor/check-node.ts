import type { Finding } from '@glasses-cloud/contract'
import { failure, ok } from './finding.ts'

/** Checks the version of Node, which runs TypeScript sources and provides SQLite. */
export async function checkNode(): Promise<Finding[]> {
  const { node } = process.versions
  if (Number.parseInt(node, 10) >= 24) return [ok('node', node)]
  return [
    failure('node', `${node} is too old; use "npm run cli", which has its own Node, or install Node 24`),
  ]
}
