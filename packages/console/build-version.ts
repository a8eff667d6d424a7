import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Returns a text that differs between builds: by the names of what was built, which contain hashes, and by the content of
 * what is copied under its own name, such as the offline page.
 */
export async function buildVersion(built: readonly string[], copiedFolder: string): Promise<string> {
  const hash = createHash('sha256').update([...built].sort().join())
  for (const name of (await readdir(copiedFolder)).sort())
    hash.update(`\n${name}\n`).update(await readFile(join(copiedFolder, name)))
  return hash.digest('hex').slice(0, 16)
}
