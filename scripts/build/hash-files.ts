import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'

/**
 * Hashes the names and contents of files and of all files in folders, without installed, built and generated ones
 * (`*.d.ts`).
 */
export function hashFiles(root: string, paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of paths.flatMap((each) => filesAt(root, each))) {
    const content = readFileSync(join(root, path))
    hash.update(`${path}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

function filesAt(root: string, path: string): string[] {
  if (statSync(join(root, path)).isFile()) return [path]
  return readdirSync(join(root, path), { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && !name.startsWith('dist') && !name.endsWith('.d.ts'))
    .flatMap((entry) => filesAt(root, posix.join(path, entry.name)))
    .sort()
}
