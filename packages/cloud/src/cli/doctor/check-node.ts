import { type Finding, ok, wrong } from './finding.ts'

/** Node must be new enough to run TypeScript as written and to bring SQLite along. */
export async function checkNode(): Promise<Finding[]> {
  const { node } = process.versions
  if (Number.parseInt(node, 10) >= 24) return [ok('node', node)]
  return [wrong('node', `${node} is too old; call "npm run cli", which brings its own, or install Node 24`)]
}
