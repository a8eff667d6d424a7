import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from './config.ts'

/** Returns a folder on the disk of this node: in the data folder, unless nodes on other machines share that. */
export function nodeFolder(
  { dir, isDirShared }: Pick<Config['data'], 'dir' | 'isDirShared'>,
  name: string,
): string {
  if (!isDirShared) return join(dir, name)
  const id = createHash('sha256').update(dir).digest('hex').slice(0, 16)
  return join(tmpdir(), `glasses-cloud-${name}-${id}`)
}
