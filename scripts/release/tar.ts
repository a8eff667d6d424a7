import { buffer } from 'node:stream/consumers'
import { pack } from 'tar-stream'
import { contentOf, foldersOf, sorted, type Tree } from './tree.ts'

/**
 * Writes a tree as tar. The result depends on the tree and the time only: entries are sorted and belong to root.
 * @param time modification time of all entries, epoch seconds
 * @param prefix precedes all paths
 */
export async function tarOf(tree: Tree, time: number, prefix = ''): Promise<Buffer> {
  const tar = pack()
  const common = { mtime: new Date(time * 1000), uid: 0, gid: 0, uname: 'root', gname: 'root' }
  const written = buffer(tar)
  for (const folder of foldersOf(tree))
    tar.entry({ ...common, name: `${prefix}${folder}/`, type: 'directory', mode: 0o755 })
  for (const entry of sorted(tree)) {
    const name = `${prefix}${entry.path}`
    if ('target' in entry)
      tar.entry({ ...common, name, type: 'symlink', linkname: entry.target, mode: 0o777 })
    else tar.entry({ ...common, name, mode: entry.mode }, contentOf(entry))
  }
  tar.finalize()
  return written
}
